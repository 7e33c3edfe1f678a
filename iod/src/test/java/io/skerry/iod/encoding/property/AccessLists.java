package io.skerry.iod.encoding.property;

import java.util.List;
import java.util.Optional;

/** Lists with all properties that Skerry decodes and does not use. */
final class AccessLists {
  private static final MetadataCacheOptions CACHE =
      new MetadataCacheOptions(
          1,
          Switch.OFF,
          new MetadataCacheOptions.Trace(Switch.ON, Switch.OFF, "/tmp/trace"),
          Switch.ON,
          new MetadataCacheOptions.Size(Switch.ON, 2 << 20, 0.01, 32 << 20, 1 << 20),
          50_000,
          new MetadataCacheOptions.Growth(1, 0.9, 2, Switch.ON, 4 << 20),
          new MetadataCacheOptions.Flash(1, 1.4, 0.25),
          new MetadataCacheOptions.Reduction(
              new MetadataCacheOptions.Growth(3, 0.999, 0.9, Switch.ON, 1 << 20),
              3,
              Switch.ON,
              0.1),
          256 << 10,
          1);

  static final PropertyList FILE =
      PropertyList.of(
          PropertyClass.FILE_ACCESS,
          Property.of(AccessProperties.ALIGNMENT_THRESHOLD, 1L),
          Property.of(AccessProperties.ALIGNMENT, 4096L),
          Property.of(AccessProperties.META_BLOCK_SIZE, 2048L),
          Property.of(AccessProperties.SMALL_DATA_BLOCK_SIZE, 0L),
          Property.of(AccessProperties.SIEVE_BUFFER_SIZE, 1L << 33),
          Property.of(AccessProperties.FILE_CACHE_SLOTS, 521L),
          Property.of(AccessProperties.FILE_CACHE_BYTES, -1L),
          Property.of(AccessProperties.CACHE_PREEMPTION, 0.75),
          Property.of(AccessProperties.COLLECTED_REFERENCES, 0xffffffffL),
          Property.of(AccessProperties.CLOSE_DEGREE, 3),
          Property.of(AccessProperties.FAMILY_OFFSET, 0L),
          Property.of(AccessProperties.MULTI_TYPE, 6),
          Property.of(AccessProperties.LOW_BOUND, 0),
          Property.of(AccessProperties.HIGH_BOUND, 4),
          Property.of(AccessProperties.EXTERNAL_FILE_CACHE, 9L),
          Property.of(AccessProperties.METADATA_READ_ATTEMPTS, 0L),
          Property.of(AccessProperties.METADATA_LOGGING, Switch.ON),
          Property.of(AccessProperties.METADATA_LOG, "/tmp/log"),
          Property.of(AccessProperties.LOGGING_FROM_START, Switch.OFF),
          Property.of(AccessProperties.EVICTION_ON_CLOSE, Switch.OFF),
          Property.of(AccessProperties.COLLECTIVE_METADATA_READS, -1),
          Property.of(AccessProperties.COLLECTIVE_METADATA_WRITES, Switch.ON),
          Property.of(AccessProperties.PAGE_BUFFER_SIZE, 0L),
          Property.of(AccessProperties.PAGE_BUFFER_METADATA, 20L),
          Property.of(AccessProperties.PAGE_BUFFER_RAW_DATA, 30L),
          Property.of(AccessProperties.FILE_LOCKING, Switch.ON),
          Property.of(AccessProperties.IGNORED_DISABLED_LOCKS, Switch.ON),
          Property.of(AccessProperties.RELAXED_CHECKS, 1L),
          Property.of(AccessProperties.WRITE_TRACKING, Switch.OFF),
          Property.of(AccessProperties.WRITE_TRACKING_PAGE, 512L << 10),
          Property.of(AccessProperties.METADATA_CACHE, CACHE),
          Property.of(
              AccessProperties.CACHE_IMAGE, new CacheImageOptions(1, Switch.ON, Switch.OFF, -1)));

  static final PropertyList DATASET =
      PropertyList.of(
          PropertyClass.DATASET_ACCESS,
          Property.of(AccessProperties.DATASET_CACHE_SLOTS, Optional.of(521L)),
          Property.of(AccessProperties.DATASET_CACHE_BYTES, Optional.empty()),
          Property.of(AccessProperties.CACHE_PREEMPTION, -1.0),
          Property.of(AccessProperties.VIRTUAL_VIEW, 1),
          Property.of(AccessProperties.VIRTUAL_GAP, 0L),
          Property.of(AccessProperties.VIRTUAL_PREFIX, "/v"),
          Property.of(AccessProperties.EXTERNAL_FILE_PREFIX, ""),
          Property.of(AccessProperties.VIRTUAL_TREE, Switch.ON),
          Property.of(AccessProperties.MAX_LINKS, 16L),
          Property.of(AccessProperties.EXTERNAL_LINK_PREFIX, "some/where"),
          Property.of(AccessProperties.EXTERNAL_LINK_FLAGS, 0xffffL),
          Property.of(AccessProperties.EXTERNAL_LINK_FILE_ACCESS, Optional.of(FILE)));

  static final PropertyList MAP =
      PropertyList.of(
          PropertyClass.MAP_ACCESS,
          Property.of(AccessProperties.KEY_PREFETCH, 16L << 10),
          Property.of(AccessProperties.KEY_BUFFER_SIZE, 1L << 20),
          Property.of(AccessProperties.EXTERNAL_LINK_FILE_ACCESS, Optional.empty()));

  static final PropertyList TRANSFER =
      PropertyList.of(
          PropertyClass.DATASET_TRANSFER,
          Property.of(TransferProperties.CONVERSION_BUFFER_SIZE, 1L << 20),
          Property.of(TransferProperties.BACKGROUND_BUFFER, 0),
          Property.of(TransferProperties.TREE_SPLIT_RATIOS, List.of(0.1, 0.5, 0.9)),
          Property.of(TransferProperties.VECTOR_SIZE, 1024L),
          Property.of(TransferProperties.TRANSFER_MODE, 1),
          Property.of(TransferProperties.COLLECTIVE_OPTIMIZATION, 0),
          Property.of(TransferProperties.CHUNK_OPTIMIZATION, 2),
          Property.of(TransferProperties.CHUNK_OPTIMIZATION_NUMBER, 0L),
          Property.of(TransferProperties.CHUNK_OPTIMIZATION_RATIO, 60L),
          Property.of(TransferProperties.CHECKSUMS, Switch.ON),
          Property.of(TransferProperties.TRANSFORM, Optional.of("2*x+1")),
          Property.of(TransferProperties.SELECTION_MODE, 0),
          Property.of(TransferProperties.MODIFIED_WRITE_BUFFER, Switch.OFF));

  static final PropertyList COPY =
      PropertyList.of(
          PropertyClass.OBJECT_COPY,
          Property.of(TransferProperties.COPY_OPTIONS, 5L),
          Property.of(TransferProperties.MERGED_DATATYPES, List.of("/a", "/b/c")));

  static final List<PropertyList> ALL = List.of(FILE, DATASET, MAP, TRANSFER, COPY);

  private AccessLists() {}
}
