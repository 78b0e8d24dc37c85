# 活动页。

activity-about = 每一次调用：发出之前与结束之后
activity-table = 调用记录，最新的在前
activity-search = 搜索活动
activity-search-hint = ID、端点、路径、名称
activity-reading = 正在读取记录…
activity-none = 还没有调用记录；Runtime 一旦调用就会显示在这里
activity-none-fits = 没有符合条件的记录
filter-all = 全部
filters-clear = 清除筛选
rows-all =
    { $count ->
        [0] 没有调用
       *[other] { $count } 次调用
    }
rows-page = 第 { $page } 页，{ $count } 次调用
older = 较早
newer = 较新
refresh = 刷新
export-csv = 导出 CSV…
export-json = 导出 JSON…
exporting = 正在导出筛选结果…
exported =
    { $count ->
       *[other] 已将 { $count } 次调用写入 { $path }
    }

## 表格
column-time = 时间
column-outcome = 结果
column-tool = 工具
column-about = 对象
column-caller = 调用者
column-took = 耗时
row-name = { $tool }，{ $outcome }，{ $time }
and-more = { $first } 等，另有 { $count } 个
took-milliseconds = { $count } 毫秒
took-seconds = { $seconds } 秒
outcome-running = 进行中
outcome-succeeded = 成功
outcome-failed = 失败
outcome-refused = 已拒绝
outcome-cancelled = 已取消
outcome-sent = 已发送
outcome-uncertain = 结果不确定

## 详情
details-title = 调用详情
details-close = 关闭详情
outcome-and-meaning = { $outcome }：{ $meaning }
meaning-running = 已经开始，目前没有更多信息
meaning-written = 更改已完成
meaning-read = 没有更改任何内容
meaning-failed = 没有写入任何内容
meaning-refused = 没有发送任何内容
meaning-cancelled = 在能够更改任何内容之前已结束
meaning-sent = 已经发出，没有回复说明是否生效
meaning-uncertain = 可能已经生效，也可能没有。请先查看，不要直接重复
decided-direct = 无需授权，直接通过
decided-allowed = 端点的授权允许直接通过，没有询问
decided-full-access = 本应询问；此 Runtime 以完全权限工作，端点允许这样通过
decided-approved = 询问后由人批准，仅此一次
decided-refused = 询问后由人拒绝
decided-mode = 此 Runtime 的工作模式不允许
decided-policy = 本应询问，但此 Runtime 设为从不询问
decided-configuration = 已保存的设置不允许，或期间有更改
decided-expired = 已经询问，但未在时限内得到回答
decided-paused = 当时此会话的询问处于暂停状态
decided-cancelled = 询问期间调用已结束
decided-no-answerer = 本应询问，但当时无人可以回答
fact-effect = 类别
effect-reads = 读取
effect-writes = 可能更改笔记
fact-kernel = 核心
fact-vault = 仓库
fact-code = 错误
fact-call = 调用 ID
fact-operation = 操作 ID
fact-about = 对象
about-unknown = 无法得知涉及的对象
object-document = 文档
object-block = 块
object-note = 笔记
granted-ask = 授权：每次询问
granted-ask-full-access = 授权：询问，完全权限下通过
granted-deny = 授权：拒绝
granted-allow = 授权：允许
open-in-siyuan = 在思源中打开
open-of = 在思源中打开 { $id }
open-not = 只有本机核心且目标明确时才能打开
kernel-of-session = 此会话的核心
kernel-of-session-about = 未指明核心的调用发往这里
kernel-default = 默认：{ $name }
kernel-default-none = 默认（未设置）
error-activity = 活动记录无法使用；在恢复之前调用都会被拒绝。请按下面的原因处理
error-export = 无法写入文件。请查看下面的原因，或选择其他位置
error-no-file-dialog = 无法显示文件对话框
error-unknown-session = 这个会话已经关闭
