package feature

import (
	"errors"
	"fmt"
	"slices"
)

// ErrCycle says that biomes disagree about the order of features.
var ErrCycle = errors.New("biomes order their features in a cycle")

// node is a feature in a step of decoration.
type node struct{ step, number int } // features are numbered as they are met

func (a node) compare(b node) int {
	if a.step != b.step {
		return a.step - b.step
	}
	return a.number - b.number
}

// sortFeatures puts the features of all biomes in one order, as the game does.
// lists has for each biome, in the order of the generator's biomes, the
// features by step. It returns the features of each step; the place of one
// in its step's list seeds it.
//
// What follows what in a biome, over all its steps, is an edge between nodes.
// The order is that of a depth-first search from the nodes in order, reversed.
func sortFeatures(lists [][][]*Placed) ([][]*Placed, error) {
	numbers := make(map[*Placed]int)
	features := make(map[node]*Placed)
	follow := make(map[node]map[node]bool)
	steps := 0
	for _, biome := range lists {
		steps = max(steps, len(biome))
		var last *node
		for step, list := range biome {
			for _, p := range list {
				number, ok := numbers[p]
				if !ok {
					number = len(numbers)
					numbers[p] = number
				}
				n := node{step, number}
				features[n] = p
				if follow[n] == nil {
					follow[n] = make(map[node]bool)
				}
				if last != nil {
					follow[*last][n] = true
				}
				last = &n
			}
		}
	}
	s := search{follow: follow, state: make(map[node]visit)}
	for _, n := range sorted(features) {
		if s.visit(n) {
			return nil, fmt.Errorf("%w: at %q", ErrCycle, features[n].ID)
		}
	}
	slices.Reverse(s.found)
	order := make([][]*Placed, steps)
	for _, n := range s.found {
		order[n.step] = append(order[n.step], features[n])
	}
	return order, nil
}

// sorted lists the nodes that are keys of a map, in order.
func sorted[V any](nodes map[node]V) []node {
	list := make([]node, 0, len(nodes))
	for n := range nodes {
		list = append(list, n)
	}
	slices.SortFunc(list, node.compare)
	return list
}

// visit is how far a search is with a node.
type visit uint8

const (
	unseen visit = iota
	onPath       // on the path to the node that is visited
	done
)

// search is a depth-first search.
type search struct {
	follow map[node]map[node]bool
	state  map[node]visit
	found  []node // each after all that follow it
}

// visit reports whether there is a cycle. Its depth is at most the number of
// features in steps.
func (s *search) visit(n node) bool {
	switch s.state[n] {
	case done:
		return false
	case onPath:
		return true
	}
	s.state[n] = onPath
	for _, next := range sorted(s.follow[n]) {
		if s.visit(next) {
			return true
		}
	}
	s.state[n] = done
	s.found = append(s.found, n)
	return false
}
