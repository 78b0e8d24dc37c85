# What the widgets say by themselves, on every page.

## Table
table-select-all = Select all shown
table-select = Select { $name }
table-unsorted = Not sorted by this; press to sort
table-ascending = Sorted ascending; press to turn the order
table-descending = Sorted descending; press to turn the order
table-sorted-up = Sorted by { $column }, ascending
table-sorted-down = Sorted by { $column }, descending

## Search field
search-clear = Empty the field: { $name }
