package io.skerry;

import java.util.Map;

/**
 * What the space of a file is used for.
 *
 * @param objects groups, datasets and committed datatypes found
 * @param blocks pieces of space that they take
 * @param bytes by kind, in the order of {@link SpaceKind}; kinds without any are left out
 * @param unclaimed bytes up to the allocated end that nothing takes: free, or lost
 * @param endOfFile first address beyond all allocated space, as the superblock says
 * @param beyond bytes of the file after that
 */
public record SpaceReport(
    long objects,
    long blocks,
    Map<SpaceKind, Long> bytes,
    long unclaimed,
    long endOfFile,
    long beyond) {}
