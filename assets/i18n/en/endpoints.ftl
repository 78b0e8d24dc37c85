# The endpoints page.

endpoints-about = What may be asked of a kernel, and what must be asked of you first
endpoints-none = No kernel yet
endpoints-none-help = Add a SiYuan kernel; then its endpoints and their permissions stand here
endpoints-add-kernel = Add a kernel…
endpoints-table = Endpoints of { $kernel }
endpoints-reading = Reading the contract…
endpoints-nothing = No endpoint fits. Take a filter away
endpoints-count =
    { $count ->
        [one] One endpoint
       *[other] { $count } endpoints
    }, { $changed ->
        [0] none changed from default
       *[other] { $changed } changed from default
    }
endpoints-count-shown =
    { $shown } of { $count } endpoints, { $changed ->
        [0] none changed from default
       *[other] { $changed } changed from default
    }

## Filters
endpoints-kernel = Kernel
endpoints-search = Search endpoints
endpoints-search-hint = Path, words, note, tool
endpoints-filters = Filters
endpoints-any = any
endpoints-protocol = Protocol
endpoints-method = Method
endpoints-permission = Permission
endpoints-group = Group
endpoints-reads = Reads
endpoints-writes = Writes
endpoints-changed = Changed from default
endpoints-open = Not closed
protocol-http = HTTP
protocol-mcp = MCP
protocol-plugin = Plugin
protocol-ws = WebSocket
protocol-connection = Connection

## Table
endpoints-column-name = Endpoint
endpoints-column-kind = Method
endpoints-column-effect = Effect
endpoints-column-note = Note
endpoints-row = { $what }, { $effect }, { $permission }
endpoints-row-changed = { $what }, { $effect }, { $permission }, changed from default
endpoints-closed = Closed: { $why }
endpoints-change = Change permission of { $name }

## Permissions
permission-ask = Ask each time
permission-ask-help = You are asked; with full access it is refused. The default
permission-ask-full = Ask, pass with full access
permission-ask-full-help = You are asked; with full access it passes by itself
permission-deny = Refuse
permission-deny-help = Nobody is asked, nothing is sent
permission-allow = Allow
permission-allow-help = Passes without a question, for everything that the endpoint can do

## Setting
endpoints-selected =
    { $count ->
        [one] One selected
       *[other] { $count } selected
    }
endpoints-set = Set permission…
endpoints-clear-selection = Clear selection
grant-title =
    { $count ->
        [one] Permission of an endpoint of { $kernel }
       *[other] Permission of { $count } endpoints of { $kernel }
    }
grant-text =
    { $count ->
        [one] It holds for this endpoint from the next call on.
       *[other] It holds for these endpoints from the next call on.
    }
grant-list = Endpoints
grant-left-out =
    { $count ->
        [one] One closed endpoint is left out.
       *[other] { $count } closed endpoints are left out.
    }
grant-yes = Set permission
grant-saving = Saving…
grant-done =
    { $count ->
        [one] One permission set { $time }
       *[other] { $count } permissions set { $time }
    }
grant-nothing = Everything selected is closed

## Details
endpoint-details = Details of { $name }
endpoint-close = Back to the list
endpoint-effect-reads = Reads
endpoint-effect-writes = Writes
endpoint-effect-reads-help = Runtimes in Ask mode may call it
endpoint-effect-writes-help = It changes something, or might: refused in Ask mode
endpoint-permission = Permission
endpoint-change = Change permission…
endpoint-closed-title = Closed in this release
endpoint-closed-help = No permission opens it: { $why }
endpoint-roles = Roles
endpoint-roles-none = Not in the contract
endpoint-tools = Tools
endpoint-body = Body
endpoint-fields = Fields of the body
endpoint-no-fields = No fields
endpoint-required = { $takes }, required
endpoint-answer = Answer
endpoint-origin-granted = Not in the contract; it has a permission of its own
body-title = Check a body
body-label = Body (JSON)
body-help = Held against the contract; nothing is sent
body-check = Check body
body-good = It has what the contract asks for
body-bad =
    { $errors ->
        [0] No errors
        [one] One error
       *[other] { $errors } errors
    }, { $warnings ->
        [0] no warnings
        [one] one warning
       *[other] { $warnings } warnings
    }
body-error = Error
body-warning = Warning
body-more = { $more } more are not shown
body-place-whole = the body

## What is wrong in a body
reason-body-field-missing = The field { $subject } is missing
reason-body-type = Another type is due: { $subject }
reason-body-field-unknown = The contract does not know this field; the kernel may overlook it
reason-body-unread = The endpoint reads no body
reason-json-place = Line and column: { $subject }
error-contract-unreadable = The contract cannot be read
error-contract-broken = The imported contract cannot be used
error-not-json = This is no JSON
error-not-in-contract = The contract does not know this endpoint, so no body can be checked

## Why an endpoint is closed
closed-agent = hands the work to a model, with tools of its own
closed-archive = reads or writes packages, or files outside the workspace
closed-cloud = acts on your cloud account or storage
closed-code = installs or changes plugins, which run with every right
closed-control = controls the kernel itself
closed-credentials = takes or changes passwords, keys or tokens
closed-desktop = acts on the desktop or on SiYuan's window
closed-fetch = makes the kernel fetch any address or local file
closed-messages = passes messages to plugins and other programs
closed-method = no endpoint does its work by this method
closed-publish = opens notes to the network
closed-proxy = makes the kernel send any request anywhere
closed-secrets = its answer holds keys, tokens or passwords
closed-templates = runs or stores templates, which read everything
closed-transactions = carries any operation without saying how it went
closed-upload-alias = another name of /api/asset/upload
closed-web-dav = reaches every file, settings included
closed-wholesale = replaces or destroys notes or history wholesale
closed-wrapper-mcp = reached method by method through channel mcp
closed-wrapper-plugin = reached method by method through channel plugin
closed-wrapper-ws = reached command by command through channel ws

## Beyond the contract
discover = Discover MCP tools
discover-running = Asking the kernel for its MCP tools…
discover-found =
    { $count ->
        [0] The kernel names no MCP tool
        [one] One MCP tool found. Nothing is permitted by that
       *[other] { $count } MCP tools found. Nothing is permitted by that
    }
declare-begin = Declare an endpoint…
declare = Declare
declare-title = Declare an endpoint of { $kernel }
declare-about = For endpoints that no contract names: of plugins, of MCP servers, of a newer SiYuan. It is asked about each time until you set its permission.
declare-key = Endpoint
declare-key-help = As: plugin my-plugin example.echo
declare-note = Note
declare-note-help = What it is for, in your words
declare-done = The list was changed. Nothing is permitted by that
endpoint-origin-declared = Declared by you
endpoint-origin-discovered = Named by the kernel's MCP server
endpoint-forget = Take it away, with its permission
