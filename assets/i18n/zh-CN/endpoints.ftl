# 端点页。

endpoints-about = 可以向核心请求什么，哪些要先问您
endpoints-none = 还没有核心
endpoints-none-help = 添加一个思源核心，这里就会列出它的端点和授权
endpoints-add-kernel = 添加核心…
endpoints-table = { $kernel } 的端点
endpoints-reading = 正在读取契约…
endpoints-nothing = 没有符合的端点，请减少筛选条件
endpoints-count =
    { $count } 个端点，{ $changed ->
        [0] 均为默认授权
       *[other] { $changed } 个已改动
    }
endpoints-count-shown =
    { $count } 个端点中的 { $shown } 个，{ $changed ->
        [0] 均为默认授权
       *[other] { $changed } 个已改动
    }

## 筛选
endpoints-kernel = 核心
endpoints-search = 搜索端点
endpoints-search-hint = 路径、词语、说明、工具
endpoints-filters = 筛选
endpoints-any = 不限
endpoints-protocol = 协议
endpoints-method = 方法
endpoints-permission = 授权
endpoints-group = 分组
endpoints-reads = 读取
endpoints-writes = 写入
endpoints-changed = 与默认不同
endpoints-open = 未关闭
protocol-http = HTTP 接口
protocol-mcp = MCP 方法
protocol-plugin = 插件
protocol-ws = WebSocket 消息
protocol-connection = 连接

## 表格
endpoints-column-name = 端点
endpoints-column-kind = 方法
endpoints-column-effect = 作用
endpoints-column-note = 说明
endpoints-row = { $what }，{ $effect }，授权：{ $permission }
endpoints-row-changed = { $what }，{ $effect }，授权：{ $permission }，与默认不同
endpoints-closed = 已关闭：{ $why }
endpoints-change = 更改 { $name } 的授权

## 授权
permission-ask = 每次询问
permission-ask-help = 先问您；完全权限下拒绝。这是默认设置
permission-ask-full = 每次询问，完全权限下授权
permission-ask-full-help = 先问您；完全权限下自动通过
permission-deny = 拒绝
permission-deny-help = 不询问，也不发送
permission-allow = 允许
permission-allow-help = 直接通过，覆盖该端点能做的一切

## 设置授权
endpoints-selected = 已选 { $count } 个
endpoints-set = 设置授权…
endpoints-clear-selection = 取消选择
grant-title =
    { $count ->
        [1] { $kernel } 的一个端点的授权
       *[other] { $kernel } 的 { $count } 个端点的授权
    }
grant-text = 从下一次调用起生效，共 { $count } 个端点。
grant-list = 端点
grant-left-out = 略过 { $count } 个已关闭的端点。
grant-yes = 设置授权
grant-saving = 正在保存…
grant-done = 已设置 { $count } 项授权，{ $time }
grant-nothing = 所选端点均已关闭

## 详情
endpoint-details = { $name } 的详情
endpoint-close = 返回列表
endpoint-effect-reads = 读取
endpoint-effect-writes = 写入
endpoint-effect-reads-help = 询问模式的 Runtime 可以调用
endpoint-effect-writes-help = 会改动内容，或可能改动：询问模式下拒绝
endpoint-permission = 授权
endpoint-change = 更改授权…
endpoint-closed-title = 本版本已关闭
endpoint-closed-help = 任何授权都不能打开它：{ $why }
endpoint-roles = 角色
endpoint-roles-none = 契约中没有
endpoint-tools = 工具
endpoint-body = 请求体
endpoint-fields = 请求体字段
endpoint-no-fields = 没有字段
endpoint-required = { $takes }，必填
endpoint-answer = 返回
endpoint-origin-granted = 契约中没有；它有自己的授权
body-title = 校验请求体
body-label = 请求体（JSON）
body-help = 按契约离线校验，不发送任何内容
body-check = 校验
body-good = 符合契约的要求
body-bad = { $errors } 个错误，{ $warnings } 个警告
body-error = 错误
body-warning = 警告
body-more = 另有 { $more } 项未显示
body-place-whole = 整个请求体

## 请求体的问题
reason-body-field-missing = 缺少字段 { $subject }
reason-body-type = 类型应为 { $subject }
reason-body-field-unknown = 契约中没有这个字段，核心可能会忽略它
reason-body-unread = 这个端点不读取请求体
reason-json-place = 行与列：{ $subject }
error-contract-unreadable = 契约无法读取
error-contract-broken = 导入的契约无法使用
error-not-json = 这不是 JSON
error-not-in-contract = 契约中没有这个端点，无法校验请求体

## 端点关闭的原因
closed-agent = 会把工作交给模型及其自带的工具
closed-archive = 读写整包内容或工作空间之外的文件
closed-cloud = 操作您的云端账号或云端存储
closed-code = 安装或改动插件，插件拥有全部权限
closed-control = 控制核心本身
closed-credentials = 读取或改动密码、密钥或令牌
closed-desktop = 操作桌面或思源的窗口
closed-fetch = 让核心读取任意地址或本机文件
closed-messages = 向插件和其他程序传递消息
closed-method = 没有端点用这个方法工作
closed-publish = 把笔记公开到网络
closed-proxy = 让核心向任意地址发送请求
closed-secrets = 返回内容含有密钥、令牌或密码
closed-templates = 运行或保存模板，模板能读取一切
closed-transactions = 可执行任意操作，且不说明结果
closed-upload-alias = 这是 /api/asset/upload 的别名
closed-web-dav = 可访问所有文件，包括设置
closed-wholesale = 整体替换或销毁笔记或历史
closed-wrapper-mcp = 请通过 mcp 通道按方法访问
closed-wrapper-plugin = 请通过 plugin 通道按方法访问
closed-wrapper-ws = 请通过 ws 通道按命令访问

## 契约之外
discover = 发现 MCP 工具
discover-running = 正在向核心询问 MCP 工具…
discover-found =
    { $count ->
        [0] 该核心没有 MCP 工具
       *[other] 发现 { $count } 个 MCP 工具，并未因此授权
    }
declare-begin = 声明端点…
declare = 声明
declare-title = 为 { $kernel } 声明端点
declare-about = 用于契约未收录的端点：插件、MCP 服务或更新版本的思源。在您设置授权之前，每次都会询问您。
declare-key = 端点
declare-key-help = 例如：plugin my-plugin example.echo
declare-note = 备注
declare-note-help = 用您自己的话说明用途
declare-done = 目录已更改，并未因此授权
endpoint-origin-declared = 由您声明
endpoint-origin-discovered = 由核心的 MCP 服务列出
endpoint-forget = 移除，连同其授权
