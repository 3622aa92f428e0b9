package command

import (
	"sync"

	"strata/anvil/registry"
	"strata/server/protocol"
)

type treeKey struct {
	level   int
	version registry.Version
}

// treeCache has the packets made so far. mu guards made.
type treeCache struct {
	mu   sync.Mutex
	made map[treeKey]*protocol.Commands
}

func (t *treeCache) get(root *node, level int, v registry.Version) *protocol.Commands {
	key := treeKey{min(max(level, 0), LevelOwners), v}
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.made[key]; p != nil {
		return p
	}
	if t.made == nil {
		t.made = make(map[treeKey]*protocol.Commands)
	}
	p := buildTree(root, key.level)
	t.made[key] = p
	return p
}

// buildTree numbers the nodes that a level may use, breadth first, and
// describes them. Numbers of parsers are the packet's matter, so that the
// versions do not differ here.
func buildTree(root *node, level int) *protocol.Commands {
	number := map[*node]int32{root: 0}
	order := []*node{root}
	for i := 0; i < len(order); i++ {
		n := order[i]
		next := n.children
		if n.redirect != nil {
			next = append(next[:len(next):len(next)], n.redirect)
		}
		for _, c := range next {
			if _, seen := number[c]; !seen && c.level <= level {
				number[c] = int32(len(order))
				order = append(order, c)
			}
		}
	}
	p := &protocol.Commands{}
	for _, n := range order {
		w := protocol.CommandNode{
			Kind: protocol.LiteralNode, Name: n.name,
			Executable: n.run != nil, Restricted: n.level > LevelAll,
		}
		for _, c := range n.children {
			if i, ok := number[c]; ok {
				w.Children = append(w.Children, i)
			}
		}
		if n.redirect != nil {
			w.Redirect = protocol.Optional[int32]{Present: true, Value: number[n.redirect]}
		}
		if n.arg != nil {
			w.Kind = protocol.ArgumentNode
			n.arg.describe(&w)
			if w.Suggestions = n.suggests; n.complete != nil {
				w.Suggestions = "minecraft:ask_server"
			}
		}
		p.Nodes = append(p.Nodes, w)
	}
	p.Nodes[0].Kind, p.Nodes[0].Name = protocol.RootNode, ""
	return p
}
