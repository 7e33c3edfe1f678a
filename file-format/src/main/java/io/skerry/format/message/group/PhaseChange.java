package io.skerry.format.message.group;

/**
 * When links or attributes move between the header and a heap.
 *
 * @param mostCompact more than this many go to a heap
 * @param fewestDense fewer than this many come back
 */
public record PhaseChange(int mostCompact, int fewestDense) {}
