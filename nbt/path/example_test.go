package path_test

import (
	"fmt"

	"strata/nbt"
	"strata/nbt/path"
	"strata/nbt/snbt"
)

func Example() {
	document, err := snbt.AppendDocument(nil, `{sections:[{Y:2b},{Y:3b,palette:[{Name:"minecraft:stone"}]}]}`, nbt.Limits{})
	if err != nil {
		panic(err)
	}
	var tape nbt.Tape
	if err := tape.Parse(document); err != nil {
		panic(err)
	}
	name, err := path.Parse("sections[{Y:3b}].palette[0].Name")
	if err != nil {
		panic(err)
	}
	text, _ := name.First(tape.Root()).Text()
	fmt.Println(text)

	edit := tape.Edit()
	changed, err := name.Set(edit, tape.Root(), edit.String("minecraft:dirt"), false)
	if err != nil {
		panic(err)
	}
	document, err = edit.AppendTo(nil)
	if err != nil {
		panic(err)
	}
	if err := tape.Parse(document); err != nil {
		panic(err)
	}
	fmt.Println(changed, string(snbt.Append(nil, tape.Root(), snbt.Compact)))
	// Output:
	// minecraft:stone
	// 1 {sections:[{Y:2b},{Y:3b,palette:[{Name:"minecraft:dirt"}]}]}
}
