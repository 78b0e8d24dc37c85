## 设置：随程序分发的全部许可证。
licences-title = 许可证
licences-own = Notegate 采用 MIT 许可证或 Apache 许可证 2.0，任选其一
licences-mit = MIT 许可证
licences-apache = Apache 许可证 2.0
licences-parts = 第三方组件（{ $count }）
licences-search = 搜索组件
licences-search-hint = 名称或许可证
licences-shown = { $count } 个组件
licences-by = { $licence }：{ $count }
licences-table = 第三方组件
licences-nothing = 没有名称或许可证与此相符的组件
licences-name = 组件
licences-version = 版本
licences-licence = 许可证
licences-row = { $name } { $version }，{ $licence }
licences-open = 打开许可证全文
