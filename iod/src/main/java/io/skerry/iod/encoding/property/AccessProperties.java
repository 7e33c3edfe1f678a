package io.skerry.iod.encoding.property;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import java.util.List;
import java.util.Optional;

/**
 * The properties of access property lists for files, links, datasets and maps. Skerry does not use
 * them, but must decode each value, because an encoded value has no length by which to skip it.
 * Sizes are in bytes; codes are those of the HDF5 library. Properties of drivers, connectors and
 * callbacks are never encoded.
 */
public final class AccessProperties {
  /** The minimum size of a block to which alignment applies. */
  public static final PropertyKey<Long> ALIGNMENT_THRESHOLD = size("threshold");

  public static final PropertyKey<Long> ALIGNMENT = size("align");
  public static final PropertyKey<Long> META_BLOCK_SIZE = size("meta_block_size");
  public static final PropertyKey<Long> SMALL_DATA_BLOCK_SIZE = size("sdata_block_size");
  public static final PropertyKey<Long> SIEVE_BUFFER_SIZE = size("sieve_buf_size");

  /** The number of slots of the chunk cache of a file. */
  public static final PropertyKey<Long> FILE_CACHE_SLOTS = size("rdcc_nslots");

  /** The size of the chunk cache of a file. */
  public static final PropertyKey<Long> FILE_CACHE_BYTES = size("rdcc_nbytes");

  /** The preference for evicting chunks that were read completely; below 0 the default. */
  public static final PropertyKey<Double> CACHE_PREEMPTION =
      new PropertyKey<>("rdcc_w0", Scalars.REAL);

  public static final PropertyKey<Long> COLLECTED_REFERENCES = unsigned("gc_ref");

  /** The effect of closing a file on its open objects, as a code. */
  public static final PropertyKey<Integer> CLOSE_DEGREE = code("close_degree", 3);

  public static final PropertyKey<Long> FAMILY_OFFSET = size("family_offset");

  /** The kind of data in a member file of the multi-file driver, as a code. */
  public static final PropertyKey<Integer> MULTI_TYPE = code("multi_type", 6);

  /** The lowest version of the library that can read the file, as a code. */
  public static final PropertyKey<Integer> LOW_BOUND = code("libver_low_bound", 0xff);

  /** The highest version of the library whose features are used, as a code. */
  public static final PropertyKey<Integer> HIGH_BOUND = code("libver_high_bound", 0xff);

  public static final PropertyKey<Long> EXTERNAL_FILE_CACHE = unsigned("efc_size");
  public static final PropertyKey<Long> METADATA_READ_ATTEMPTS = unsigned("metadata_read_attempts");
  public static final PropertyKey<Switch> METADATA_LOGGING = flag("use_mdc_logging");
  public static final PropertyKey<String> METADATA_LOG = text("mdc_log_location");
  public static final PropertyKey<Switch> LOGGING_FROM_START = flag("start_mdc_log_on_access");
  public static final PropertyKey<Switch> EVICTION_ON_CLOSE = flag("evict_on_close_flag");
  public static final PropertyKey<Switch> COLLECTIVE_METADATA_WRITES =
      flag("collective_metadata_write");
  public static final PropertyKey<Long> PAGE_BUFFER_SIZE = size("page_buffer_size");

  /** The minimum share of metadata in the page buffer, in percent. */
  public static final PropertyKey<Long> PAGE_BUFFER_METADATA =
      unsigned("page_buffer_min_meta_perc");

  /** The minimum share of raw data in the page buffer, in percent. */
  public static final PropertyKey<Long> PAGE_BUFFER_RAW_DATA = unsigned("page_buffer_min_raw_perc");

  public static final PropertyKey<Switch> FILE_LOCKING = flag("use_file_locking");
  public static final PropertyKey<Switch> IGNORED_DISABLED_LOCKS =
      flag("ignore_disabled_file_locks");

  /** The checks that are relaxed, as bits; HDF5 2.0. */
  public static final PropertyKey<Long> RELAXED_CHECKS =
      new PropertyKey<>("rfic_flags", Scalars.WIDE);

  /** On if the core driver tracks writes; HDF5 1.10. */
  public static final PropertyKey<Switch> WRITE_TRACKING = flag("core_write_tracking_flag");

  /** The size of the pages in which writes are tracked; HDF5 1.10. */
  public static final PropertyKey<Long> WRITE_TRACKING_PAGE = size("core_write_tracking_page_size");

  public static final PropertyKey<MetadataCacheOptions> METADATA_CACHE =
      new PropertyKey<>("mdc_initCacheCfg", MetadataCacheOptions.CODEC);
  public static final PropertyKey<CacheImageOptions> CACHE_IMAGE =
      new PropertyKey<>("mdc_initCacheImageCfg", CacheImageOptions.CODEC);

  /** The mode of collective metadata reads: -1 never, 0 no, 1 yes. */
  public static final PropertyKey<Integer> COLLECTIVE_METADATA_READS =
      new PropertyKey<>("collective_metadata_read", Scalars.SIGNED_CODE);

  /** The maximum number of soft and external links that the resolution of a path may follow. */
  public static final PropertyKey<Long> MAX_LINKS = size("max soft links");

  public static final PropertyKey<String> EXTERNAL_LINK_PREFIX = text("external link prefix");
  public static final PropertyKey<Long> EXTERNAL_LINK_FLAGS = unsigned("external link flags");

  /** The list with which files of external links are opened; empty for the default. */
  public static final PropertyKey<Optional<PropertyList>> EXTERNAL_LINK_FILE_ACCESS =
      new PropertyKey<>(
          "external link fapl", ValueCodec.of(AccessProperties::nested, AccessProperties::nested));

  /** The number of slots of the chunk cache of a dataset; empty for that of the file. */
  public static final PropertyKey<Optional<Long>> DATASET_CACHE_SLOTS =
      new PropertyKey<>("rdcc_nslots", Scalars.OPTIONAL_SIZE);

  /** The size of the chunk cache of a dataset; empty for that of the file. */
  public static final PropertyKey<Optional<Long>> DATASET_CACHE_BYTES =
      new PropertyKey<>("rdcc_nbytes", Scalars.OPTIONAL_SIZE);

  /** The rule for the extent of a virtual dataset with unlimited mappings, as a code. */
  public static final PropertyKey<Integer> VIRTUAL_VIEW = code("vds_view", 1);

  /** The number of missing sources after which the search for blocks of a virtual dataset ends. */
  public static final PropertyKey<Long> VIRTUAL_GAP = size("vds_printf_gap");

  public static final PropertyKey<String> VIRTUAL_PREFIX = text("vds_prefix");
  public static final PropertyKey<String> EXTERNAL_FILE_PREFIX = text("external file prefix");

  /** On if a spatial tree finds the mappings of a virtual dataset; HDF5 2.0. */
  public static final PropertyKey<Switch> VIRTUAL_TREE = flag("tree");

  /** The number of keys of a map that are read ahead. */
  public static final PropertyKey<Long> KEY_PREFETCH = size("key_prefetch_size");

  /** The initial size of the buffer for the keys of a map. */
  public static final PropertyKey<Long> KEY_BUFFER_SIZE = size("key_alloc_size");

  static final List<PropertyKey<?>> FILE =
      List.of(
          ALIGNMENT_THRESHOLD,
          ALIGNMENT,
          META_BLOCK_SIZE,
          SMALL_DATA_BLOCK_SIZE,
          SIEVE_BUFFER_SIZE,
          FILE_CACHE_SLOTS,
          FILE_CACHE_BYTES,
          CACHE_PREEMPTION,
          COLLECTED_REFERENCES,
          CLOSE_DEGREE,
          FAMILY_OFFSET,
          MULTI_TYPE,
          LOW_BOUND,
          HIGH_BOUND,
          EXTERNAL_FILE_CACHE,
          METADATA_READ_ATTEMPTS,
          METADATA_LOGGING,
          METADATA_LOG,
          LOGGING_FROM_START,
          EVICTION_ON_CLOSE,
          COLLECTIVE_METADATA_READS,
          COLLECTIVE_METADATA_WRITES,
          PAGE_BUFFER_SIZE,
          PAGE_BUFFER_METADATA,
          PAGE_BUFFER_RAW_DATA,
          FILE_LOCKING,
          IGNORED_DISABLED_LOCKS,
          RELAXED_CHECKS,
          WRITE_TRACKING,
          WRITE_TRACKING_PAGE,
          METADATA_CACHE,
          CACHE_IMAGE);
  static final List<PropertyKey<?>> LINK =
      List.of(
          COLLECTIVE_METADATA_READS,
          MAX_LINKS,
          EXTERNAL_LINK_PREFIX,
          EXTERNAL_LINK_FLAGS,
          EXTERNAL_LINK_FILE_ACCESS);
  static final List<PropertyKey<?>> DATASET =
      List.of(
          DATASET_CACHE_SLOTS,
          DATASET_CACHE_BYTES,
          CACHE_PREEMPTION,
          VIRTUAL_VIEW,
          VIRTUAL_GAP,
          VIRTUAL_PREFIX,
          EXTERNAL_FILE_PREFIX,
          VIRTUAL_TREE);
  static final List<PropertyKey<?>> MAP = List.of(KEY_PREFETCH, KEY_BUFFER_SIZE);

  private AccessProperties() {}

  private static PropertyKey<Long> size(String name) {
    return new PropertyKey<>(name, Scalars.SIZE);
  }

  private static PropertyKey<Long> unsigned(String name) {
    return new PropertyKey<>(name, Scalars.UNSIGNED);
  }

  private static PropertyKey<Integer> code(String name, int most) {
    return new PropertyKey<>(name, Scalars.code(most));
  }

  private static PropertyKey<Switch> flag(String name) {
    return new PropertyKey<>(name, Scalars.SWITCH);
  }

  private static PropertyKey<String> text(String name) {
    return new PropertyKey<>(name, Scalars.TEXT);
  }

  /** Decodes a list within a list: a switch and, if on, a size and the encoded list. */
  private static Optional<PropertyList> nested(ByteReader in) {
    if (Scalars.SWITCH.decode(in) == Switch.OFF) {
      return Optional.empty();
    }
    PropertyList list = PropertyList.decode(in.slice(Scalars.length(in)));
    if (list.kind() != PropertyClass.FILE_ACCESS) {
      throw in.fault("class of the list", PropertyClass.FILE_ACCESS, list.kind());
    }
    return Optional.of(list);
  }

  private static void nested(Optional<PropertyList> list, ByteWriter out) {
    out.u8(list.isPresent() ? 1 : 0);
    list.ifPresent(present -> {
      byte[] bytes = present.encode();
      Scalars.size(bytes.length, out);
      out.bytes(bytes);
    });
  }
}
