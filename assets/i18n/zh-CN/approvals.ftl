# 向您提出的问题。

approvals-title = 等待您的回答
