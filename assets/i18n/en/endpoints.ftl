# The endpoints page.

endpoints-about = What may be asked of a kernel, and what must be asked of you first
