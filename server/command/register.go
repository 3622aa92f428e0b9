package command

import "slices"

// register builds the tree of what the host can do.
func (d *Dispatcher) register() {
	h := d.host
	d.add(true, helpCommand, listCommand, gameModeCommand, teleportCommand, giveCommand, clearCommand, killCommand,
		kickCommand, tellrawCommand, titleCommand, spawnPointCommand, experienceCommand, transferCommand,
		summonCommand, gameRuleCommand)
	d.add(h.Settings != nil, difficultyCommand, defaultGameModeCommand, weatherCommand, seedCommand,
		setWorldSpawnCommand, idleTimeoutCommand)
	d.add(h.Worlds != nil, fillCommand, setBlockCommand, cloneCommand, itemCommand, executeCommand)
	d.add(h.Clocks != nil, timeCommand)
	d.add(h.Chat != nil, sayCommand, meCommand, msgCommand)
	d.add(h.Access != nil, opCommand, deopCommand, whitelistCommand, banCommand, banAddressCommand,
		banListCommand, pardonCommand, pardonAddressCommand)
	d.add(h.Effects != nil, effectCommand)
	d.add(h.Life != nil, saveAllCommand, saveOnCommand, saveOffCommand, stopCommand)
	d.add(h.Ticks != nil, tickCommand, tpsCommand)
	d.add(h.Locator != nil, locateCommand)
	d.add(h.Pregen != nil, pregenCommand)
	d.add(h.Backup != nil, backupCommand)
	d.add(h.Memory != nil, memoryCommand)
}

// add adds commands if the host can do them. A command is made of the root,
// so that execute can redirect to it.
func (d *Dispatcher) add(can bool, commands ...func(root *node) []*node) {
	if !can {
		return
	}
	for _, c := range commands {
		for _, n := range c(d.root) {
			if !slices.Contains(d.host.Without, n.name) {
				d.root.then(n)
			}
		}
	}
}

// one is the list with one command.
func one(n *node) []*node { return []*node{n} }

// alias is a command that goes on as another one.
func alias(name string, of *node) *node {
	n := literal(name).needs(of.level)
	n.redirect, n.run = of, of.run
	return n
}
