package io.skerry;

import java.util.Map;

/**
 * What the space of a file is used for.
 *
 * @param objects groups, datasets and committed datatypes found
 * @param blocks pieces of space that they take
 * @param bytes by kind, in the order of {@link Kind}; kinds without any are left out
 * @param unclaimed bytes up to the allocated end that nothing takes: free, or lost
 * @param endOfFile first address beyond all allocated space, as the superblock says
 * @param beyond bytes of the file after that
 */
public record SpaceReport(
    long objects, long blocks, Map<Kind, Long> bytes, long unclaimed, long endOfFile, long beyond) {

  /** What the space of a file is used for. */
  public enum Kind {
    /** Superblock and driver information. */
    SUPERBLOCK("superblock"),
    /** Object headers, all chunks of them. */
    OBJECT_HEADER("object header"),
    /** Symbol tables, and heaps and indexes of densely stored links. */
    LINKS("links"),
    /** Heaps and indexes of densely stored attributes. */
    ATTRIBUTES("attributes"),
    /** The pool of shared messages: table, indexes, heaps. */
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
    /** A copy of metadata that a writer left for a quick start. */
    CACHE_IMAGE("cache image");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** In words. */
    public String text() {
      return text;
    }
  }
}
