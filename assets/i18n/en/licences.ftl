## Settings: the licences of everything that is shipped.
licences-title = Licences
licences-own = Notegate is under the MIT licence or the Apache License 2.0, as you like
licences-mit = MIT licence
licences-apache = Apache License 2.0
licences-parts = Parts by others ({ $count })
licences-search = Search the parts
licences-search-hint = Name or licence
licences-shown =
    { $count ->
        [one] One part
       *[other] { $count } parts
    }
licences-by = { $licence }: { $count }
licences-table = Parts by others
licences-nothing = No part has that in its name or licence
licences-name = Part
licences-version = Version
licences-licence = Licence
licences-row = { $name } { $version }, { $licence }
licences-open = Open the full texts
