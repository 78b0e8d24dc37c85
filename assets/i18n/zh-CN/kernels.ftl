# 核心页。

kernels-about = 运行时可以访问的思源核心
