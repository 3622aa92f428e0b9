//go:build !purego

#include "textflag.h"

// The weights of 32 bytes in the second sum: 32, 31, ... 1.
DATA adlerWeights<>+0(SB)/8, $0x191a1b1c1d1e1f20
DATA adlerWeights<>+8(SB)/8, $0x1112131415161718
DATA adlerWeights<>+16(SB)/8, $0x090a0b0c0d0e0f10
DATA adlerWeights<>+24(SB)/8, $0x0102030405060708
GLOBL adlerWeights<>(SB), RODATA|NOPTR, $32

// func adlerKernel(p *byte, n int) (bytes, weighted uint32)
//
// Y1 sums the bytes, in four lanes. Y2 sums Y1 as it was before each step: each
// earlier byte counts 32 more for every step after it. Y3 sums the bytes with
// their weights inside their own step.
TEXT ·adlerKernel(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VMOVDQU adlerWeights<>(SB), Y4
	VPCMPEQW Y5, Y5, Y5
	VPSRLW $15, Y5, Y5 // sixteen ones

step:
	VMOVDQU (SI), Y6
	VPADDD Y1, Y2, Y2
	VPSADBW Y0, Y6, Y7
	VPMADDUBSW Y4, Y6, Y8 // pairs: at most 255*(32+31), which fits 16 bits
	VPADDD Y7, Y1, Y1
	VPMADDWD Y5, Y8, Y8
	VPADDD Y8, Y3, Y3
	ADDQ $32, SI
	SUBQ $32, CX
	JNZ step

	// weighted = Y3 + 32*Y2, summed over the lanes.
	VPSLLD $5, Y2, Y2
	VPADDD Y2, Y3, Y3
	VEXTRACTI128 $1, Y1, X6
	VPADDD X6, X1, X1
	VEXTRACTI128 $1, Y3, X7
	VPADDD X7, X3, X3
	VPSHUFD $0x4E, X1, X6 // swap the halves
	VPADDD X6, X1, X1
	VPSHUFD $0x4E, X3, X7
	VPADDD X7, X3, X3
	VPSHUFD $0xB1, X3, X7 // swap neighbours
	VPADDD X7, X3, X3
	VMOVD X1, AX
	VMOVD X3, BX
	MOVL AX, bytes+16(FP)
	MOVL BX, weighted+20(FP)
	VZEROUPPER
	RET
