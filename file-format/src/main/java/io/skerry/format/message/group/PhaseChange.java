package io.skerry.format.message.group;

/**
 * The numbers of links or attributes at which storage changes between compact and dense.
 *
 * @param mostCompact the largest number in compact storage; more are stored densely
 * @param fewestDense the smallest number in dense storage; fewer are stored compactly
 */
public record PhaseChange(int mostCompact, int fewestDense) {}
