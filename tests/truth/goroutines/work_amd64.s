// SPDX-License-Identifier: GPL-2.0-only

// Two instructions for each pass. With a frame of 8 bytes they have a frame pointer.

// func hot50()
TEXT ·hot50(SB), 0, $8-0
	MOVQ $250000, AX
pass:
	DECQ AX
	JNZ pass
	RET

// func mid30()
TEXT ·mid30(SB), 0, $8-0
	MOVQ $150000, AX
pass:
	DECQ AX
	JNZ pass
	RET

// func low20()
TEXT ·low20(SB), 0, $8-0
	MOVQ $100000, AX
pass:
	DECQ AX
	JNZ pass
	RET
