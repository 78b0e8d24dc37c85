# 向您提出的问题。

approvals-title = 等待您的回答
approvals-waiting =
    { $count ->
        [0] 没有等待您回答的问题
       *[other] 有 { $count } 个问题等待您的回答
    }
approvals-hide = 收起
approvals-show = 查看待回答的问题
approvals-keys = { $approve } 批准一次，{ $refuse } 拒绝：作用于焦点所在的问题，否则作用于最早的问题
count-waiting = { $count } 个待回答
count-held = { $count } 个已暂停询问
notice-open = 查看问题
notice-until = 请在 { $time } 前回答；在此之前不会发送任何内容

## 谁要做什么
asks-notebooks = { $who } 想列出思源“{ $kernel }”的笔记本
asks-docs = { $who } 想列出思源“{ $kernel }”的文档
asks-search = { $who } 想搜索思源“{ $kernel }”
asks-sql = { $who } 想在思源“{ $kernel }”中执行 SQL 查询
asks-read = { $who } 想读取思源“{ $kernel }”中的一个块
asks-children = { $who } 想列出思源“{ $kernel }”中一个块的子块
asks-create-doc = { $who } 想在思源“{ $kernel }”中新建文档
asks-insert = { $who } 想在思源“{ $kernel }”中插入块
asks-append = { $who } 想在思源“{ $kernel }”中追加块
asks-update = { $who } 想更新思源“{ $kernel }”中的一个块
asks-rename = { $who } 想重命名思源“{ $kernel }”中的一篇文档
asks-delete = { $who } 想删除思源“{ $kernel }”中的一个块
asks-delete-doc = { $who } 想删除思源“{ $kernel }”中的一篇文档
asks-http = { $who } 想调用思源“{ $kernel }”的 { $what }
asks-mcp-tool = { $who } 想使用思源“{ $kernel }”的工具 { $what }
asks-mcp = { $who } 想调用思源“{ $kernel }”MCP 服务的 { $what }
asks-plugin = { $who } 想调用思源“{ $kernel }”中的插件 { $what }
asks-ws = { $who } 想接收思源“{ $kernel }”的消息
asks-ws-send = { $who } 想向思源“{ $kernel }”发送消息
asks-status = { $who } 想知道思源“{ $kernel }”能否连接
asks-other = { $who } 想使用 { $what }
caller-command-line = 命令行

## 卡片
fact-document = 文档
fact-asked-for = 调用
text-before = 修改前
text-after = 修改后
text-unread = 无法读取现有内容
text-deleted = 将被删除
text-emptied = 将被清空
text-was-empty = 原本为空
line-gone = 删除：{ $line }
line-new = 新增：{ $line }
lines-stay = … { $count } 行不变
change-unfold = 显示全部
change-fold = 收起内容
fact-endpoint = 端点
fact-session = 会话
fact-asked = 提出时间
asked-at = { $time }，{ $age }前
time-left = 剩余时间
ends-in = { $left }后结束
span-seconds = { $seconds } 秒
span-minutes = { $minutes } 分 { $seconds } 秒
approve-once = 批准一次
refuse = 拒绝
refuse-session = 拒绝此会话的全部请求
refuse-runtime = 拒绝 { $who } 的全部请求
answer-of = { $answer }：{ $question }
noted = 知道了

## 问题如何结束
ended-approved-elsewhere = 已在别处批准
ended-refused-elsewhere = 已在别处拒绝，未发送任何内容
ended-too-late = 已超时，未发送任何内容
ended-cancelled = 调用已取消，未发送任何内容
ended-configuration-changed = 设置已更改，未发送任何内容
ended-nobody = 当时无人可以回答，未发送任何内容
ended-not-taken = 已批准，但程序没有回来领取，未发送任何内容
error-too-late = 您的回答来得太晚：时间已到，未发送任何内容
error-answered = 这个问题先在别处得到了回答，您的回答未生效
error-approval-cancelled = 在您回答之前调用已取消，未发送任何内容
error-configuration-changed = 在您回答之前设置已更改，未发送任何内容
error-unknown-question = 这个问题已不存在，您的回答未生效
error-not-paused = 它的询问已经恢复

## 暂停询问的会话
held-title = 暂停询问
held-session = { $who }，会话 { $session }
held-unanswered = { $who }：有两个问题未得到回答，{ $time } 之前不再询问，直接拒绝
held-refused = { $who }：您拒绝了全部请求，{ $time } 之前不再询问，直接拒绝
lift = 恢复询问
lift-of = 恢复询问：{ $who }
