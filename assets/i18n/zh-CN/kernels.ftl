# 核心页。

kernels-about = Runtime 可以访问的思源核心，可以在本机，也可以在别处
siyuan-switch = 启用思源
siyuan-assignment-about = 勾选的 Runtime 可以使用思源工具，操作上面的核心，并受各端点授权约束
siyuan-assignment-none = 还没有可以分配思源的 Runtime
given-siyuan = 已分配思源
given-siyuan-off = 已分配思源，但思源未启用
kernels-count = 核心（{ $count }）
kernels-none = 还没有核心
kernels-none-help = 核心是思源内部存放笔记的服务。添加本机的核心，或按地址添加别处的核心
no-default = 没有默认核心：未指明核心、会话也未选择核心的调用会被拒绝
default-disabled = 默认核心已停用：未指明核心、会话也未另选核心的调用会被拒绝

## 表单
add-kernel = 添加核心…
kernel-add = 添加
kernel-add-title = 新的核心
kernel-edit = 编辑…
kernel-edit-of = 编辑 { $name }…
kernel-edit-title = 编辑 { $name }
kernel-save-of = 保存 { $name }
kernel-leave-of = 取消编辑 { $name }
kernel-name = 名称
kernel-reach = 所在位置
reach-auto = 本机
reach-auto-help = 通过思源登记端口的文件自动找到
reach-address = 指定地址
reach-address-help = 在其他电脑上、容器中，或代理之后
kernel-address = 地址
kernel-address-help = 例如 http://127.0.0.1:6806 或 https://example.org/siyuan
port-file = 端口登记文件
port-file-help = 留空则使用思源自己的文件：账户主目录下的 .config/siyuan/port.json
pid = 进程 PID
pid-auto-help = 留空则在首次检查时绑定唯一运行的核心；有多个核心时请指明一个
pid-address-help = 仅在该端口必须属于本机某个进程时填写
kernel-seconds = 超时
kernel-seconds-help = 等待一次响应的最长秒数
kernel-default-box = 设为默认核心
kernel-default-note = 未指明核心、会话也未选择核心的调用由它处理
kernel-disabled-box = 停用
kernel-disabled-note = 不向它发送任何内容
token = Token（API 令牌）
token-none-help = 在思源的“设置 - 关于”中查看。只保存在本机系统的密钥环中
token-stored-help = 已配置。留空则保留，填写新值则替换
token-refused-help = 核心拒绝了已保存的 token，请填写思源“设置 - 关于”中显示的 token
keyring-waiting = 正在等待系统密钥环，可能需要你来解锁…
move-warning = 这样保存后它就是另一台服务，为它设置的 { $count } 项授权将被撤销

## 核心
kernel-is-default = 默认核心
kernel-is-disabled = 已停用
fact-address = 地址
address-auto = 在本机自动找到
address-auto-file = 在本机通过端口登记文件找到
fact-binding = 绑定
not-bound = 尚未绑定，首次检查时绑定
found-process = 进程 { $pid }
token-is-none = 未配置
token-is-stored = 已配置
token-is-refused = 已被核心拒绝，替换之前不再发送任何内容
token-enter = 填写…
token-enter-of = 填写 { $name } 的 token…
token-replace = 替换…
token-replace-of = 替换 { $name } 的 token…
token-clear = 清除…
token-clear-of = 清除 { $name } 的 token…
fact-permissions = 授权
permissions-set =
    { $count ->
        [0] 未设置，所有端点每次询问
       *[other] 已设置 { $count } 个端点，其余每次询问
    }
make-default = 设为默认
make-default-of = 把 { $name } 设为默认核心
kernel-disable = 停用
kernel-disable-of = 停用 { $name }
kernel-enable = 启用
kernel-enable-of = 启用 { $name }

## 检查
kernel-check = 检查连接
kernel-check-of = 检查 { $name } 的连接
kernel-check-cancel = 取消检查
kernel-check-cancel-of = 取消对 { $name } 的检查
kernel-check-none = 尚未检查
kernel-check-disabled = 已停用：不向它发送任何内容，也不能检查
kernel-check-step = 第 { $number } 步（共 { $count } 步），开始于 { $time }：{ $step }…
step-finding = 正在查找核心
step-asking = 正在确认对方是什么
step-booting = 核心正在启动，已完成 { $progress }%
step-opening = 正在打开核心并读取工作空间
kernel-check-passed = 思源 { $version } 响应正常，检查于 { $time }
found-address = 地址 { $address }
found-workspace = 工作空间 { $workspace }
found-with-token = 已用 token 打开
found-without-token = 未使用 token 打开
kernel-check-failed = { $time } 检查失败
warning-old-version = 这个版本的部分响应有误，请把思源更新到 3.7.4 或更高版本
warning-open = 核心不要求 token，那台电脑上的任何程序都能绕过 Notegate 使用它。请在思源中设置锁屏密码
warning-clear-text = token 以明文经过网络，请改用 https 地址
warning-workspace = 核心没有告知工作空间（例如只读模式），若该地址换成另一个工作空间将无法察觉
warning-port-owner = 本系统无法得知端口属于哪个进程，因此直接采信思源的端口登记文件
instances = 正在运行的核心，请选择所指的一个
bind-to = 绑定进程 { $pid }
bind-to-of = 把 { $name } 绑定到进程 { $pid }
instance-about = 端口 { $port }，思源 { $version }
instance-silent = 端口 { $port }，没有响应
resume = 已重启：继续使用进程 { $pid }
resume-of = { $name } 已重启：继续使用进程 { $pid }
resume-about = 若那里响应的是同一工作空间，继续使用会保留授权；重新绑定则清除授权。
rebind = 重新绑定…
rebind-of = 重新绑定 { $name }…

## 确认
loses-permissions =
    { $count ->
        [0] 没有为它设置过授权。
       *[other] 为它设置的 { $count } 项授权将被撤销。
    }
loses-token = 它的 token 将从系统密钥环中删除。
loses-default = 它是默认核心；另设默认之前，未指明核心的调用会被拒绝。
kernel-remove-title = 移除 { $name }？
kernel-remove-loses = 它的地址和绑定不再保留，进行中的调用随即终止。选择了它的会话会被拒绝，直到另选核心。笔记不受影响。
keep-token = 把它的 token 留在密钥环中
keep-token-note = 适用于已经无法访问的密钥环
token-clear-title = 清除 { $name } 的 token？
token-clear-loses = 它将从系统密钥环中删除，进行中的调用随即终止。设有锁屏密码的核心会拒绝一切请求，直到重新填写。
token-clear-yes = 清除 token
rebind-title = 重新绑定 { $name }？
rebind-loses = 现在那里响应的服务将被当作这个核心，不论之前是哪一个。进行中的调用随即终止。
rebind-yes = 重新绑定
choose-loses = 之前绑定的进程不再保留，进行中的调用随即终止。
move-title = 把 { $name } 保存为另一台服务？
move-loses = 更换地址、端口登记文件或进程即为另一台服务。之前响应的工作空间不再保留，进行中的调用随即终止。
move-yes = 保存并撤销授权

## 错误：发生了什么、该怎么办
error-unknown-kernel = 这个核心已不存在
error-kernel-disabled = 这个核心已停用，请先启用
error-port-file = 思源的端口登记文件无法使用。请重启思源，或填写核心的地址
error-kernel-not-running = 思源没有运行，请启动思源；若它在沙盒或容器中运行，请填写它的地址
error-several-kernels = 有多个核心正在运行，请选择所指的一个
error-workspace-untold = 正在运行的核心不凭 token 便不告知工作空间，请选择其进程
error-kernel-not-bound = 尚不知其工作空间，无法确认另一进程提供的是同一个。请重新绑定
error-kernel-gone = 已绑定的进程不再运行。请启动思源，或改选其他进程
error-port-of-another = 该端口不归那个进程所有，因此没有发送任何内容。请更正 PID 或地址
error-not-a-kernel = 在那里响应的不是思源核心，请更正地址
error-kernel-booting = 核心仍在启动，请稍后重试
error-other-workspace = 现在响应的是另一个工作空间，没有向它发送任何内容。请在思源中打开原来的工作空间，或重新绑定核心
error-token-refused = 核心拒绝了 token。继续尝试会被思源锁定，因此不再发送任何内容。请填写思源“设置 - 关于”中显示的 token
error-token-needed = 核心要求 token，请填写思源“设置 - 关于”中显示的 token
error-token-lost = token 没有到达核心，似乎被前面的代理去掉了 Authorization 请求头。请让代理放行
error-kernel-unauthorized = 核心拒绝了请求（401），没有说明原因。请检查 token，以及核心前面的代理
error-kernel-forbidden = 访问被拒绝（403）：响应的是代理，或只读视图。请填写核心自己的地址和 token
error-kernel-throttled = 核心暂时锁定了本机（429）。请找出使用错误 token 的程序，然后等待
error-kernel-tls = 无法与核心建立安全连接
error-kernel-timeout = 核心没有及时响应。请确认它没有卡住，或调大超时
error-kernel-unreachable = 无法连接核心。请确认思源正在运行，并检查地址
error-kernel-refused = 核心拒绝了请求，请查看思源中的提示
error-kernel-answer = 核心的响应无法使用，请检查地址
error-kernel-changed = 核心的设置刚刚改变，请重新检查
error-check-running = 正在检查这个核心，请等待结果
error-token-busy = token 正在写入或移出密钥环，请等待完成
error-keyring-unavailable = 无法访问系统密钥环，而 token 和密钥不会保存在别处。请在当前会话中启动密钥环（如 GNOME Keyring、KeePassXC 或 KWallet），然后重试
error-keyring-locked = 系统密钥环已锁定，请解锁后重试
error-keyring-no-answer = 系统密钥环没有响应，可能正在等待你操作：请回应它的提示，然后重试
error-keyring-entry-missing = 密钥环中没有这个条目，虽然曾经保存过。请解锁密钥环，或重新设置 token 或密钥
error-keyring-failed = 系统密钥环出错，请用系统自带的程序查看

## 错误的具体情形
reason-kernel-name-empty = 请为核心填写名称
reason-kernel-name = 名称最多 { $subject } 个字符，且不能含有不可见字符
reason-kernel-seconds = 请填写 1 到 { $subject } 之间的整数秒数
reason-address-too-long = 地址最多 { $subject } 个字符
reason-address-none = 这不是地址；地址的写法如 http://127.0.0.1:6806
reason-address-scheme = 地址必须以 http:// 或 https:// 开头
reason-address-credentials = 地址中不能有用户名和密码；token 另有填写处
reason-address-query = 地址中不能有 ? 和 #，请去掉它们及其后的内容
reason-address-port = 核心不可能监听端口 0
reason-address-path = 地址中的路径有歧义，请不要使用 \ 和 //
reason-port-file-unused = 只有本机的核心才通过文件查找
reason-port-file-path = 请填写从根目录开始的完整文件路径，最多 { $subject } 个字符
reason-pid-elsewhere = 只能为本机的核心指定进程
reason-pid-nobody = 没有这样的进程 PID，它是大于 0 的整数
reason-token-empty = token 为空；如需移除，请使用“清除”
reason-token-too-short = 这么短的 token 无法从回答和日志中滤除，至少需要 6 个字符
reason-token-too-long = token 最多 { $subject } 个字符
reason-token-characters = token 中含有无法发送的字符，请从思源“设置 - 关于”中重新复制
reason-no-user-folder = 这里没有你的账户主目录，因此也没有思源的端口登记文件
reason-port-file = 文件 { $subject }
reason-none-registered = { $subject } 中没有登记仍在运行的核心
reason-process-gone = 绑定的是进程 { $subject }
reason-port-not-its-own = 无法确认端口 { $subject } 只属于那个进程
reason-answers-at = 地址 { $subject }
reason-boot-progress = 已完成 { $subject }%
reason-workspace-found = 现在是 { $subject }
reason-retry-after = 还需等待 { $subject } 秒
reason-no-answer-within = 已等待 { $subject } 秒
reason-no-connection-within = 该地址在 { $subject } 秒内没有接受连接
reason-kernel-code = 拒绝代码 { $subject }
reason-host-unknown = 本机无法解析地址中的名称
reason-nothing-listens = 该地址上没有程序在监听
reason-no-way-there = 系统提示：{ $subject }
reason-connection-broken = 响应尚未完整，连接就已中断
reason-redirects-to = 它重定向到 { $subject }，但不会跟随重定向。请填写最终地址
reason-http-status = 响应状态为 { $subject }
reason-certificate-issuer = 它的证书不由本系统信任的机构签发。思源自行签发证书：请把其根证书加入系统，或在同一台电脑上使用 http
reason-certificate-name = 它的证书属于另一个名称，请用证书中的名称作为地址
reason-certificate-date = 它的证书已过期或尚未生效。请更新证书，或校正本机时钟
reason-certificate-bad = 它的证书无法接受
reason-not-tls = 对方不使用 TLS。如果是核心，它的地址以 http:// 开头
reason-no-root-certificates = 本系统没有可用于验证的证书，请安装根证书软件包
reason-tls-no-agreement = 双方没有共同的协议，或对方中止了连接
reason-keyring-says = 系统提示：{ $subject }
reason-keyring-several = 密钥环中有多个同名条目。请用系统自带的程序移除它们，再重新设置 token 或密钥
reason-keyring-not-kept = 密钥环返回的内容与写入的不同
