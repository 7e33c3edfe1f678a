package io.skerry;

import java.util.Map;

/**
 * A report of how the space in a file is used. Immutable.
 *
 * @param objects the number of groups, datasets, committed datatypes and maps
 * @param blocks the number of blocks that all structures of the file occupy; 0 in a store without
 *     blocks
 * @param bytes the number of bytes that each kind of structure occupies, in the order of {@link
 *     Kind}; kinds that occupy no space are omitted
 * @param unclaimed the number of bytes below {@code endOfFile} that no structure occupies, because
 *     they are free or lost
 * @param endOfFile the end of the allocated space according to the superblock, as an address; in
 *     another store, the number of bytes that the file occupies
 * @param beyond the number of bytes in the file after {@code endOfFile}
 */
public record SpaceReport(
    long objects, long blocks, Map<Kind, Long> bytes, long unclaimed, long endOfFile, long beyond) {

  /** A kind of structure that occupies space in a file. */
  public enum Kind {
    /** Superblock and driver information. */
    SUPERBLOCK("superblock"),
    /** Object headers, with all their continuation blocks. */
    OBJECT_HEADER("object header"),
    /** Symbol tables, and heaps and indexes of links in dense storage. */
    LINKS("links"),
    /** Heaps and indexes of attributes in dense storage. */
    ATTRIBUTES("attributes"),
    /** The shared object header messages: master table, indexes and heaps. */
    SHARED_MESSAGES("shared messages"),
    /** Blocks of chunk indexes. */
    CHUNK_INDEX("chunk index"),
    /** Chunks. */
    CHUNK("chunk"),
    /** Contiguous data. */
    CONTIGUOUS("contiguous data"),
    /** Collections of the global heap. */
    GLOBAL_HEAP("global heap"),
    /** Names of external data files. */
    EXTERNAL_NAMES("names of external files"),
    /** The metadata cache image, which a program stores so that the file opens faster next time. */
    CACHE_IMAGE("cache image");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /**
     * Returns the name of the kind for reports. Local, thread-safe; does not fail.
     *
     * @return the name, in lower case
     */
    public String text() {
      return text;
    }
  }
}
