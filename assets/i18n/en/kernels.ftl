# The kernels page.

kernels-about = The SiYuan kernels that runtimes can reach
