# 各页控件自己说的话。

## 表格
table-select-all = 全选显示的行
table-select = 选择 { $name }
table-unsorted = 未按此列排序；按下即排序
table-ascending = 已升序排列；按下改变顺序
table-descending = 已降序排列；按下改变顺序
table-sorted-up = 按{ $column }升序排列
table-sorted-down = 按{ $column }降序排列

## 搜索框
search-clear = 清空：{ $name }
