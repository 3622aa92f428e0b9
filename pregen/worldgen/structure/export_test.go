package structure

// PlacePiece is placePiece for tests.
func (s *Start) PlacePiece(p *Placer, piece Piece) { s.placePiece(p, piece) }
