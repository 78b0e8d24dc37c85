# 活动页。

activity-about = 每一次调用：发出之前与结束之后
