# The kernels page.

kernels-about = The SiYuan kernels that runtimes can reach, on this computer or elsewhere
siyuan-switch = SiYuan access
siyuan-assignment-about = Those ticked may use the SiYuan tools, on the kernels above and within their permissions
siyuan-assignment-none = There is no runtime yet that could be given SiYuan
given-siyuan = SiYuan is assigned to it
given-siyuan-off = SiYuan is assigned to it, and switched off
kernels-count = Kernels ({ $count })
kernels-none = No kernels yet
kernels-none-help = A kernel is the server inside SiYuan that holds your notes. Add the one of this computer, or one elsewhere by its address
no-default = No kernel is the default, so a call that names none is refused unless its session chose one
default-disabled = The default kernel is disabled, so a call that names none is refused unless its session chose another one

## The form
add-kernel = Add a kernel…
kernel-add = Add kernel
kernel-add-title = New kernel
kernel-edit = Edit…
kernel-edit-of = Edit { $name }…
kernel-edit-title = Edit { $name }
kernel-save-of = Save { $name }
kernel-leave-of = Cancel editing { $name }
kernel-name = Name
kernel-reach = Where it is
reach-auto = On this computer
reach-auto-help = Found by itself, through the file in which SiYuan registers its port
reach-address = At an address
reach-address-help = On another computer, in a container, or behind a proxy
kernel-address = Address
kernel-address-help = Such as http://127.0.0.1:6806 or https://example.org/siyuan
port-file = Port file
port-file-help = Empty takes SiYuan's own: .config/siyuan/port.json in your folder
pid = Process ID
pid-auto-help = Empty lets the first check bind the only kernel that runs; where several run, name one
pid-address-help = Only if the port must belong to a certain process of this computer
kernel-seconds = Time limit
kernel-seconds-help = How many seconds one answer may take
kernel-default-box = Default kernel
kernel-default-note = Gets the calls that name no kernel, from sessions that chose none
kernel-disabled-box = Disabled
kernel-disabled-note = Nothing at all is sent to it
token = Token
token-none-help = SiYuan shows it under Settings, About. It is kept in this system's keyring and nowhere else
token-stored-help = Configured. Empty keeps it, what you enter takes its place
token-refused-help = The kernel refused the one that is kept. Enter the one that SiYuan shows under Settings, About
keyring-waiting = Waiting for the system's keyring; it may ask you to unlock it…
move-warning =
    { $count ->
        [one] Saved like this it is another server, and the permission that is set for it is dropped
       *[other] Saved like this it is another server, and the { $count } permissions that are set for it are dropped
    }

## A kernel
kernel-is-default = Default
kernel-is-disabled = Disabled
fact-address = Address
address-auto = Found by itself on this computer
address-auto-file = Found on this computer by the port file
fact-binding = Binding
not-bound = Not bound yet; the first check does it
found-process = Process { $pid }
token-is-none = None
token-is-stored = Configured
token-is-refused = Refused by the kernel; nothing is sent until it is replaced
token-enter = Enter…
token-enter-of = Enter a token for { $name }…
token-replace = Replace…
token-replace-of = Replace the token of { $name }…
token-clear = Clear…
token-clear-of = Clear the token of { $name }…
fact-permissions = Permissions
permissions-set =
    { $count ->
        [0] None set: every endpoint asks each time
        [one] One endpoint set, the others ask each time
       *[other] { $count } endpoints set, the others ask each time
    }
make-default = Make default
make-default-of = Make { $name } the default
kernel-disable = Disable
kernel-disable-of = Disable { $name }
kernel-enable = Enable
kernel-enable-of = Enable { $name }

## Checks
kernel-check = Check connection
kernel-check-of = Check the connection of { $name }
kernel-check-cancel = Cancel check
kernel-check-cancel-of = Cancel the check of { $name }
kernel-check-none = Not checked yet
kernel-check-disabled = Disabled: nothing is sent to it, not even by a check
kernel-check-step = Step { $number } of { $count }, since { $time }: { $step }…
step-finding = finding the kernel
step-asking = asking what answers there
step-booting = waiting while the kernel starts, { $progress } %
step-opening = opening it and asking for its workspace
kernel-check-passed = SiYuan { $version } answers, checked { $time }
found-address = Address { $address }
found-workspace = Workspace { $workspace }
found-with-token = It took the token
found-without-token = It was opened without a token
kernel-check-failed = Check failed { $time }
warning-old-version = This version gives some answers that are wrong. Update SiYuan to 3.7.4 or newer
warning-open = The kernel asks for no token, so every program on its computer can use it without Notegate. Set a lock screen password in SiYuan
warning-clear-text = The token crosses the network unencrypted. Use an https address
warning-workspace = The kernel does not tell its workspace, as in read-only mode, so another one at this address would not be noticed
warning-port-owner = This system does not tell which process a port belongs to, so SiYuan's port file was taken at its word
instances = Kernels that run now; choose the one that is meant
bind-to = Bind to process { $pid }
bind-to-of = Bind { $name } to process { $pid }
instance-about = Port { $port }, SiYuan { $version }
instance-silent = Port { $port }, gives no answer
resume = Restarted: go on with process { $pid }
resume-of = { $name } was restarted: go on with process { $pid }
resume-about = Going on keeps what is permitted, if the same workspace answers there. Binding drops it.
rebind = Bind anew…
rebind-of = Bind { $name } anew…

## Questions
loses-permissions =
    { $count ->
        [0] No permissions are set for it.
        [one] The permission that is set for it is lost.
       *[other] The { $count } permissions that are set for it are lost.
    }
loses-token = Its token is removed from the system's keyring.
loses-default = It is the default; calls that name no kernel are refused until another one is.
kernel-remove-title = Remove { $name }?
kernel-remove-loses = Its address and its binding are forgotten, and calls in flight end. Sessions that chose it are refused until they choose another one. Notes are not touched.
keep-token = Leave its token in the keyring
keep-token-note = For a keyring that cannot be reached any more
token-clear-title = Clear the token of { $name }?
token-clear-loses = It is removed from the system's keyring, and calls in flight end. A kernel with a lock screen password refuses everything until you enter it again.
token-clear-yes = Clear the token
rebind-title = Bind { $name } anew?
rebind-loses = What answers there now is taken for this kernel, whatever was before. Calls in flight end.
rebind-yes = Bind anew
choose-loses = The process that it was bound to is forgotten, and calls in flight end.
move-title = Save { $name } as another server?
move-loses = Another address, port file or process is another server. The workspace that answered before is forgotten, and calls in flight end.
move-yes = Save and drop them

## Errors: what happened and what to do
error-unknown-kernel = This kernel is no longer there
error-kernel-disabled = The kernel is disabled. Enable it first
error-port-file = SiYuan's port file cannot be used. Restart SiYuan, or give the kernel's address
error-kernel-not-running = SiYuan does not run. Start it; if it runs in a sandbox or a container, give its address instead
error-several-kernels = Several kernels run. Choose the one that is meant
error-workspace-untold = The kernel that runs does not tell its workspace without the token. Choose its process
error-kernel-not-bound = Its workspace is not known, so nothing tells that another process serves the same one. Bind it anew
error-kernel-gone = What the kernel is bound to runs no more. Start SiYuan, or choose another process
error-port-of-another = The port is not that process's own, so nothing was sent. Correct the process ID or the address
error-not-a-kernel = What answers there is no SiYuan kernel. Correct the address
error-kernel-booting = The kernel is still starting. Try again in a moment
error-other-workspace = Another workspace answers here now, and nothing is sent to it. Open the former one in SiYuan, or bind the kernel anew
error-token-refused = The kernel refused the token, and nothing is sent any more: SiYuan locks out who goes on. Enter the token that it shows under Settings, About
error-token-needed = The kernel wants its token. SiYuan shows it under Settings, About
error-token-lost = The token did not reach the kernel: a proxy before it seems to take the Authorization header away. Let the proxy pass it on
error-kernel-unauthorized = The kernel refused the request (401), for a reason that it does not tell. Check the token and what stands before the kernel
error-kernel-forbidden = Access is refused (403): what answers is a proxy, or a view that only reads. Give the kernel's own address and its token
error-kernel-throttled = The kernel has locked out this computer for now (429). Find what uses a wrong token, and wait
error-kernel-tls = No secure connection to the kernel came about
error-kernel-timeout = The kernel did not answer in time. See whether it hangs, or raise its time limit
error-kernel-unreachable = The kernel cannot be reached. See that SiYuan runs, and check the address
error-kernel-refused = The kernel refused. See what SiYuan itself says
error-kernel-answer = The kernel's answer cannot be used. Check the address
error-kernel-changed = The kernel was changed meanwhile. Check it again
error-check-running = A check of this kernel is running already. Wait for its result
error-token-busy = The token is on its way to or from the keyring. Wait until that is done
error-keyring-unavailable = The system's keyring cannot be reached, and secrets are kept nowhere else. Start one in this session, such as GNOME Keyring, KeePassXC or KWallet, and try again
error-keyring-locked = The system's keyring is locked. Unlock it and try again
error-keyring-no-answer = The system's keyring gave no answer. It may be waiting for you: answer its prompt, then try again
error-keyring-entry-missing = The keyring has no such entry, although one was saved. Unlock it, or set the token or key anew
error-keyring-failed = The system's keyring failed. Look at it with the system's own program

## What an error is about
reason-kernel-name-empty = A kernel needs a name
reason-kernel-name = A name has at most { $subject } characters, and none that cannot be seen
reason-kernel-seconds = A whole number of seconds, from 1 to { $subject }
reason-address-too-long = An address has at most { $subject } characters
reason-address-none = This is no address. One looks like http://127.0.0.1:6806
reason-address-scheme = The address must begin with http:// or https://
reason-address-credentials = An address holds no user name and no password. The token has its own field
reason-address-query = An address has no ? and no #. Give it without what follows them
reason-address-port = 0 is no port that a kernel could listen on
reason-address-path = The path of the address is ambiguous. Write it without \ and //
reason-port-file-unused = Only a kernel of this computer is looked up in a file
reason-port-file-path = Give the whole path of the file, from the root on, in at most { $subject } characters
reason-pid-elsewhere = A process can be named for a kernel of this computer only
reason-pid-nobody = This is nobody's process ID. It is a whole number above 0
reason-token-empty = The token is empty. To remove it, clear it
reason-token-too-short = A token this short cannot be kept out of answers and logs; it needs at least 6 characters
reason-token-too-long = A token has at most { $subject } characters
reason-token-characters = The token holds a character that cannot be sent. Copy it again from SiYuan, Settings, About
reason-no-user-folder = There is no folder of yours here, and so no port file of SiYuan
reason-port-file = { $subject }
reason-none-registered = No living kernel is registered in { $subject }
reason-process-gone = It was bound to process { $subject }
reason-port-not-its-own = Port { $subject } is not known to belong to that process alone
reason-answers-at = At { $subject }
reason-boot-progress = It is at { $subject } %
reason-workspace-found = Now it is { $subject }
reason-retry-after = For another { $subject } s
reason-no-answer-within = It was waited for { $subject } s
reason-no-connection-within = The address took no connection within { $subject } s
reason-kernel-code = It refused with code { $subject }
reason-host-unknown = The name in the address is not known here
reason-nothing-listens = Nothing listens at the address
reason-no-way-there = The system says: { $subject }
reason-connection-broken = The connection ended before the answer was complete
reason-redirects-to = It redirects to { $subject }, and redirects are not followed. Enter the final address
reason-http-status = It answered with status { $subject }
reason-certificate-issuer = Its certificate is signed by nobody this system trusts. SiYuan signs its own: add its authority to the system's certificates, or use http on the same computer
reason-certificate-name = Its certificate is for another name. Use the name in the certificate as the address
reason-certificate-date = Its certificate has expired or is not valid yet. Renew it, or correct this computer's clock
reason-certificate-bad = Its certificate is not acceptable
reason-not-tls = The other side speaks no TLS. If it is a kernel, its address begins with http://
reason-no-root-certificates = This system has no certificates to check it with. Install its package of root certificates
reason-tls-no-agreement = The two sides have no protocol in common, or the other side gave up
reason-keyring-says = The system says: { $subject }
reason-keyring-several = It holds several entries of this name. Remove them with the system's own program, then set the token or key anew
reason-keyring-not-kept = It gave back something else than it was given
