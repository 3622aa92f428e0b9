package play

import (
	"strings"
	"unicode"

	"strata/server/protocol"
	"strata/server/text"
)

// The budget of messages, as the game has it.
const (
	spamCost  = 20
	spamLimit = 200
	maxChat   = 256
)

// Animations of an arm.
const (
	swingMainHand = 0
	swingOffHand  = 3
)

// drain does what the client sent since the last tick.
func (g *Game) drain(p *Player) {
	p.moves, p.completed = 0, 0
	p.spam = max(p.spam-1, 0)
	for range len(p.inbox) {
		packet := <-p.inbox
		if p.joined && !p.gone {
			g.handle(p, packet)
		}
	}
	if p.joined && !p.gone {
		g.review(p)
	}
}

func (g *Game) handle(p *Player, packet protocol.Packet) {
	switch v := packet.(type) {
	case *protocol.MovePlayerPos:
		g.move(p, v.X, v.Y, v.Z, p.yaw, p.pitch, v.Flags)
	case *protocol.MovePlayerPosRot:
		g.move(p, v.X, v.Y, v.Z, v.Yaw, v.Pitch, v.Flags)
	case *protocol.MovePlayerRot:
		g.move(p, p.x, p.y, p.z, v.Yaw, v.Pitch, v.Flags)
	case *protocol.MovePlayerStatusOnly:
		g.move(p, p.x, p.y, p.z, p.yaw, p.pitch, v.Flags)
	case *protocol.AcceptTeleportation:
		if v.TeleportID == p.teleport {
			p.awaiting = false
		}
	case *protocol.ChunkBatchReceived:
		p.pacer.Answered(v.ChunksPerTick)
	case *protocol.ClientInformation:
		p.info = *v
	case *protocol.Swing:
		g.swing(p, v.Hand)
	case *protocol.PlayerAction:
		g.act(p, v)
	case *protocol.UseItemOn:
		g.useOn(p, v)
	case *protocol.SetCarriedItem:
		g.hold(p, v.SlotID)
	case *protocol.SetCreativeModeSlot:
		g.createItem(p, v)
	case *protocol.ContainerClick:
		g.clickSlot(p, v)
	case *protocol.ContainerClose:
		g.closeWindow(p)
	case *protocol.PlayerInput:
		p.sneaking = v.Inputs&protocol.PlayerInputInputsShift != 0
	case *protocol.PingRequest:
		p.send(&protocol.PongResponse{Time: v.Time})
	case *protocol.PlayerCommand:
		p.playerCommand(v.Action)
	case *protocol.PlayerAbilitiesServerbound:
		p.fly(v.Flags)
	case *protocol.SignUpdate:
		g.writeSign(p, v)
	case *protocol.ClientCommand:
		if v.Action == protocol.ClientCommandActionPerformRespawn {
			g.respawn(p)
		}
	case *protocol.Chat:
		g.chat(p, v.Message)
	case *protocol.ChatCommand:
		g.command(p, v.Command)
	case *protocol.ChatCommandSigned:
		g.command(p, v.Command)
	case *protocol.CommandSuggestion:
		g.complete(p, v)
	case *protocol.ChangeDifficultyServerbound:
		g.changeDifficulty(p, v.NewDifficulty)
	case *protocol.LockDifficulty:
		g.lockDifficulty(p, v.Locked)
	}
}

// command runs what a player typed.
func (g *Game) command(p *Player, line string) {
	if g.options.Commands == nil || !g.mayTalk(p) {
		return
	}
	g.options.Log.Info(p.Name() + " issued server command: /" + line)
	g.options.Commands.Run(p, line)
}

// completeEvery is how many ticks lie between two completions; others wait for
// the next keystroke.
const completeEvery = 1

func (g *Game) complete(p *Player, q *protocol.CommandSuggestion) {
	if g.options.Commands == nil || p.completed >= completeEvery {
		return
	}
	p.completed++
	p.send(g.options.Commands.Complete(p, q))
}

// mayTalk takes what a message costs from the player's budget. Operators have no
// budget.
func (g *Game) mayTalk(p *Player) bool {
	if g.options.Commands != nil && g.options.Commands.Level(p) > 0 {
		return true
	}
	if p.spam += spamCost; p.spam > spamLimit {
		g.Kick(p, Translated("disconnect.spam", ""))
		return false
	}
	return true
}

func (g *Game) swing(p *Player, hand protocol.Hand) {
	animation := uint8(swingMainHand)
	if hand != 0 {
		animation = swingOffHand
	}
	for _, other := range g.players {
		if other.seen[p.id] != nil {
			other.send(&protocol.Animate{EntityID: p.id, Animation: animation})
		}
	}
}

// chat says something to all.
func (g *Game) chat(p *Player, message string) {
	illegal := func(r rune) bool { return r == '§' || unicode.IsControl(r) }
	if len([]rune(message)) > maxChat || strings.ContainsFunc(message, illegal) {
		g.Kick(p, Translated("multiplayer.disconnect.illegal_characters", ""))
		return
	}
	if !g.mayTalk(p) {
		return
	}
	if message = strings.TrimSpace(message); message == "" {
		return
	}
	// As the game says it of messages that are not signed.
	g.options.Log.Info("[Not Secure] <" + p.Name() + "> " + message)
	g.Say("minecraft:chat", p.Display(), text.Plain(message), nil, nil)
}
