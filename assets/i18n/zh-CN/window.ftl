# 窗口的简体中文文本。标签末尾不加句号；还需继续输入的操作以“…”结尾。

## 框架
navigation = 页面
page-overview = 概览
page-obsidian = Obsidian
page-kernels = 核心
page-endpoints = 端点
page-activity = 活动
nav-siyuan = 思源
page-runtimes = Runtime
page-settings = 设置
copy = 复制
copied = 已复制
copy-what = 复制：{ $what }
copied-what = 已复制：{ $what }
cancel = 取消
save = 保存
saving = 正在保存…
saved-at = 已于 { $time } 保存
expanded = 已展开
collapsed = 已收起
switch-on = 已启用
switch-off = 已关闭
what-and-why = { $what }：{ $why }

## 概览
overview-about = 正在运行什么、谁已连接、接下来做什么
endpoint-title = 接入地址
gateway-starting = 正在启动…
gateway-listening = 运行中
gateway-failed = 未运行
gateway-stopped = 已停止
gateway-listening-since = 自 { $time } 起运行
gateway-failed-at = 未运行，{ $time } 启动失败
demo = 这是临时目录上的演示，退出后不保留任何内容
gateway-stopped-at = 已于 { $time } 停止
try-again = 重试
address = 地址
address-help = 各 Runtime 由此连接，各用自己的密钥
port-next-start = 端口 { $port } 已保存，下次启动时生效
calls-since-start =
    { $count ->
        [0] 启动以来还没有调用
       *[other] 启动以来调用 { $count } 次，失败 { $failed } 次
    }
steps-title = 开始使用
step-done = 已完成
step-open = 待完成
step-state = { $step }：{ $state }
step-vaults = 选择仓库
step-vaults-help = 所有本机仓库，或一个指定文件夹；保存前可以先测试
step-vaults-unusable = 已保存，但无法使用：{ $why }
step-vaults-do = 去选择仓库
step-on = 启用 Obsidian
step-on-help = 启用之前，任何 Runtime 都接触不到笔记
step-on-do = 去启用
step-connect = 连接 Runtime
step-connect-help = 在这里添加，再把地址和密钥填进它的配置
step-connect-do = 添加 Runtime
step-connect-added = 让已添加的 Runtime 连接进来
step-connect-added-do = 查看 Runtime
step-connect-added-help = 密钥已经生成，但它还没有连接过。请启动它；若已在运行，重启后才会读取新配置
step-call = 第一次调用
step-call-help = 向 Runtime 问一个与笔记有关的问题
runtimes-none = 还没有 Runtime
runtimes-none-help = Runtime 是使用笔记的聊天程序，例如 OpenCode、Continue 或直连模型
runtime-connected =
    { $count ->
       *[other] 已连接，{ $count } 个会话，最近活动 { $time }
    }
runtime-seen = 最近活动 { $time }
runtime-never-seen = 启动以来未连接
calls-running =
    { $count ->
       *[other] 正在执行 { $count } 个调用
    }
last-call = 最近调用 { $time }：{ $tool }，{ $outcome }
call-succeeded = 成功
call-failed = 失败

## Obsidian
obsidian-about = 让 Runtime 读写本机仓库中的笔记，无需打开 Obsidian
obsidian-switch = 启用 Obsidian
scope-title = 仓库范围
scope-registered = 所有本机仓库
scope-registered-help = Obsidian 已登记的全部仓库，无论是否打开
scope-folder = 指定文件夹
scope-folder-help = 只使用这一个文件夹，无需在 Obsidian 中登记
path-label = 文件夹
path-help = 填写完整路径，也可以在下方选择
path-empty = 请填写文件夹的完整路径，或选择一个文件夹
saved-scope = 已保存范围
saved-registered = 所有本机仓库
scope-unusable = 已保存的范围目前无法使用：{ $why }
draft-unsaved = 草稿尚未保存
draft-same = 草稿与已保存范围一致
test-connection = 测试连接
testing = 正在测试…
testing-since = 正在测试，开始于 { $time }…
testing-elsewhere = 另一项连接测试正在进行…
test-passed = { $vaults } 个仓库，{ $tools } 个工具，测试于 { $time }
test-failed = { $time } 测试失败
save-failed = 未能保存
folder-failed = 未能选择文件夹
choose-folder = 选择文件夹…
assignment-title = 分配给 Runtime
assignment-about = 勾选的 Runtime 可以使用仓库工具；勾选不会保存上面的草稿
assignment-none = 还没有可以分配 Obsidian 的 Runtime
kind-unavailable = { $name }：不可用，{ $why }
unavailable-why = 不可用：{ $why }
no-scoped-data-tools = 它无法把数据工具限定在单个会话内，在一个会话中允许的内容会对它的所有会话开放
tools-title = 工具（{ $count }）
tool-row = { $name }，{ $effect }
tool-reads = 读取
tool-writes = 写入
advanced-title = 高级
engine-title = 引擎
engine-about = 由谁来执行工具。选择另一个会立即保存，并结束正在执行的调用
engine-native = 内置引擎
engine-native-help = Notegate 自带，速度快，无需安装其他软件
engine-upstream = Node 上的 MCPVault
engine-upstream-help = MCPVault 0.16.0，每次调用都重新启动；需要 Node 20 或更高版本

## Runtime
runtimes-about = 可以连接的聊天程序。密钥只表明是谁在调用，能做什么由这里决定
add-runtime = 添加 Runtime…
add-title = 新的 Runtime
add = 添加
kind = 类型
kind-model = 直连模型
kind-custom = 其他 MCP 客户端
kind-remote-acp = 其他电脑上的 Agent（ACP）
runtime-name = 名称
runtime-name-help = 供你辨认；留空则使用类型名称
runtime-line = { $kind } · { $id } · { $seen }
name-and-id = { $name }（{ $id }）
given-obsidian = 已分配 Obsidian
given-obsidian-off = 已分配 Obsidian，但 Obsidian 未启用
given-nothing = 尚未分配任何能力，因此看不到任何工具
rename = 重命名…
rename-of = 重命名 { $name }…
new-name = 新名称
mode = 工作模式
mode-of = { $name } 的工作模式
mode-help = “只读”不能改动笔记；“执行”按常规权限工作；“完全访问”仅对思源笔记有意义
mode-ask = 只读
mode-execute = 执行
mode-full = 完全访问
give-obsidian = 分配 Obsidian
rotate = 更换密钥…
rotate-of = 更换 { $name } 的密钥…
rotate-title = 更换 { $name } 的密钥？
rotate-loses = 现有密钥立即失效，进行中的调用随即终止。把新密钥填进它的配置之后，它才能重新连接。
rotate-yes = 更换密钥
remove = 移除…
remove-of = 移除 { $name }…
remove-title = 移除 { $name }？
remove-loses = 它的密钥立即失效，进行中的调用随即终止；工作模式和分配不再保留。笔记不受影响。
remove-yes = 移除
key-title = { $name } 的密钥
key-once = 仅此一次显示，请先复制再继续；遗失后只能更换新密钥
key = 密钥
key-done = 我已复制
configuration = 配置内容
configuration-again = 配置内容，KEY 处填写它的密钥；只有新生成的密钥才能显示
configuration-of = { $name } 的配置
place-model = 按模型所用的格式列出工具；向 /tools/名称 发送 POST 即可调用
place-opencode = 写入项目的 opencode.json，或 ~/.config/opencode/opencode.json
place-continue = 写入 Continue 的 config.yaml
place-claude-code = 在终端中执行一次
place-codex = 写入 ~/.codex/config.toml，启动 Codex 前先设置该环境变量
place-cursor = 写入 ~/.cursor/mcp.json
place-claude-desktop = 写入 claude_desktop_config.json
place-custom = Streamable HTTP 地址，以及每个请求都要携带的请求头

## 设置
settings-about = 窗口的外观，以及 Notegate 的监听端口
appearance-title = 外观
language = 语言
language-en = English
language-zh = 简体中文
follow-system = 跟随系统
theme = 主题
theme-light = 浅色
theme-dark = 深色
gateway-title = 网关
port = 端口
port-help = 仅监听 127.0.0.1，下次启动时生效
port-problem = 端口是 1 到 65535 之间的数字
port-saved = 已保存端口 { $port }
files-title = 文件
home = 数据文件夹
home-help = 存放设置和日志；密钥只保存摘要
version = Notegate { $version }

## 错误：发生了什么、该怎么办。具体情形以核心的原文列在下方。
error-invalid = 填写的内容无法接受，请修改后重试
error-settings = 设置未能保存，原有设置没有改变。请查看下方原因后重试
error-settings-changed = Notegate 运行期间，设置文件被手动修改。没有保存任何内容，也没有终止任何调用。请退出 Notegate 后重新启动，以读取该修改
error-internal = Notegate 内部出错，没有改变任何设置，请重试
error-closing = Notegate 正在关闭，不再接受请求
error-no-randomness = 系统无法提供随机数，不能生成密钥，请重试
error-unknown-runtime = 这个 Runtime 已不存在
error-unavailable = 无法把这项能力分配给该 Runtime
error-test-running = 已有连接测试正在进行，请等待结果
error-dialog-open = 文件夹选择窗口已经打开
error-no-folder-dialog = 无法显示文件夹选择窗口，请直接填写路径
error-folder-name = 这个文件夹的名称无法以文本保存，请改选其他文件夹
error-scope-invalid = 这个文件夹无法使用，请填写可以打开的文件夹的完整路径
error-registry-missing = 没有找到 Obsidian 的仓库登记信息。请先在 Obsidian 中打开一次仓库，或指定文件夹
error-registry-invalid = Obsidian 的仓库登记信息无法使用。请在 Obsidian 中修复，或指定文件夹
error-vault-unreachable = 有仓库无法打开。请恢复对该文件夹的访问，或改选其他文件夹
error-protected = 这个文件夹存放 Notegate 自身的文件，不能作为仓库，请改选其他文件夹
error-engine-missing = MCPVault 或 Node 缺失或版本不符，获取方法见下方原因；也可以在“高级”中选择内置引擎
error-engine-failed = 访问仓库的组件运行失败，请查看下方原因后重试
error-timeout = 耗时过长，已被终止，请重试
error-cancelled = 已取消
error-port-taken = 端口已被其他程序占用。请关闭该程序，或在设置中换一个端口，然后重试
error-port-reserved = 普通程序不能使用这个端口。请在设置中改用 1023 以上的端口，然后重试
error-cannot-listen = 无法打开该地址。请查看下方原因，或在设置中换一个端口，然后重试

## 错误的具体情形
reason-folder-missing = { $subject }：没有这个文件夹
reason-folder-is-a-file = { $subject } 是文件，不是文件夹
reason-folder-not-absolute = { $subject } 不是从根目录开始的完整路径
reason-folder-inaccessible = 无法打开 { $subject }，请检查访问权限
reason-folder-in-sandbox = { $subject } 位于 Obsidian 所在的沙盒内，请选择该文件夹本身
reason-registry-looked = 查找过 { $subject }
reason-no-scoped-data-tools = { $subject } 无法把数据工具限定在单个会话内
reason-name-empty = 请为 Runtime 填写名称
reason-name-too-long = 名称最多 { $subject } 个字符
reason-name-control = 名称中含有不可见字符
reason-port = 本机端口 { $subject }

## 工具
tool-obsidian-list-vaults = 列出范围内的仓库及其 ID
tool-obsidian-read-note = 读取笔记及其 frontmatter
tool-obsidian-write-note = 写入笔记：新建、覆盖或追加
tool-obsidian-patch-note = 替换笔记中的一段内容
tool-obsidian-list-directory = 列出文件夹中的笔记和子文件夹
tool-obsidian-delete-note = 删除笔记或移入回收站，需要再次给出路径确认
tool-obsidian-search-notes = 按正文和 frontmatter 搜索笔记
tool-obsidian-move-note = 移动或重命名笔记
tool-obsidian-move-file = 移动或重命名任意文件，包括附件
tool-obsidian-read-multiple-notes = 一次读取多篇笔记
tool-obsidian-update-frontmatter = 更新 frontmatter，正文不变
tool-obsidian-get-notes-info = 不读正文，获取笔记的大小和时间
tool-obsidian-get-frontmatter = 只读取笔记的 frontmatter
tool-obsidian-manage-tags = 添加、移除或列出笔记的标签
tool-obsidian-get-vault-stats = 统计笔记和文件夹数量，列出最近的改动
tool-obsidian-list-all-tags = 列出仓库中的全部标签及次数
tool-obsidian-wiki-link = 解析并跟随笔记之间的 wiki 链接
tool-obsidian-get-note-outline = 查看笔记的标题大纲
tool-obsidian-read-note-lines = 按行读取笔记
