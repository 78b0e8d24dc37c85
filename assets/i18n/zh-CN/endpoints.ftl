# 端点页。

endpoints-about = 可以向核心请求什么，哪些要先问您
