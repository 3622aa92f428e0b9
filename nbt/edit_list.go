package nbt

// SetElement replaces an element of a list or array.
func (e *Edit) SetElement(list Tag, i int, value Raw) {
	if !e.targets("set element", list, holdsItems(list) && 0 <= i && i < list.Len()) {
		return
	}
	from, to := e.span(list, i)
	e.element("set element", list, op{from: from, to: to, group: groupContent}, value)
}

// Insert puts a value before the element i of a list or array, or at its end if
// i is its length.
func (e *Edit) Insert(list Tag, i int, value Raw) {
	if !e.targets("insert", list, holdsItems(list) && 0 <= i && i <= list.Len()) {
		return
	}
	if i == list.Len() {
		e.Append(list, value)
		return
	}
	from, _ := e.span(list, i)
	e.element("insert", list, op{from: from, to: from, group: groupBefore}, value)
}

// Append puts a value at the end of a list or array.
func (e *Edit) Append(list Tag, value Raw) {
	if !e.targets("append", list, holdsItems(list)) {
		return
	}
	end := list.last()
	e.element("append", list, op{from: end, to: end, group: groupClose}, value)
}

// RemoveElement removes an element of a list or array. A list whose last one
// is removed has elements of type End, as the game writes it.
func (e *Edit) RemoveElement(list Tag, i int) {
	if !e.targets("remove element", list, holdsItems(list) && 0 <= i && i < list.Len()) {
		return
	}
	from, to := e.span(list, i)
	e.removeElement(list, from, to)
}

func holdsItems(t Tag) bool { return t.kind == TypeList || t.kind.Array() }

// element adds an op that puts a value into the list or array home.
func (e *Edit) element(name string, home Tag, o op, value Raw) {
	if !e.accepts(name, home, value, 1) {
		return
	}
	if home.kind.Array() && value.Type != arrayItem(home.kind) {
		e.fail(name, home, -1, ErrElementType)
		return
	}
	o.kind, o.data = value.Type, value.Data
	o.home, o.homeIndex, o.homeKind = home.off, home.index, home.kind
	e.add(o)
}

func (e *Edit) removeElement(home Tag, from, to uint32) {
	e.add(op{
		from: from, to: to, group: groupContent,
		home: home.off, homeIndex: home.index, homeKind: home.kind,
	})
}
