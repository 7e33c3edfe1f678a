package io.skerry.iod.object.model;

import io.skerry.format.Bytes;

/**
 * The keys of metadata. Stored keys end in a NUL. Integers are little-endian.
 *
 * <p>Keys that begin with {@code skerry_} are not in the layout of 2013: an encoded property list
 * cannot represent these properties. A property whose key is absent has its default.
 */
public enum MetadataKey {
  /** The creation property list, in the form of H5Pencode. */
  OBJECT_CREATE_PLIST("object_create_plist"),
  /** i32: the number of the {@link ObjectKind}. */
  OBJECT_TYPE("object_type"),
  /** u64: the number of hard links, and of datasets and attributes that share a datatype. */
  OBJECT_LINK_COUNT("object_link_count"),
  /** The datatype, in the form of H5Tencode. */
  OBJECT_DATATYPE("object_datatype"),
  /** The dataspace, in the form of H5Sencode. */
  OBJECT_DATASPACE("object_dataspace"),
  /** u64: the size of an encoded committed datatype in bytes. */
  SERIALIZED_SIZE("serialized_size"),
  /** The datatype of the keys of a map, in the form of H5Tencode. */
  MAP_KEYTYPE("map_keytype"),
  /** The datatype of the values of a map, in the form of H5Tencode. */
  MAP_VALTYPE("map_valtype"),
  /** u64: the next block of key-value object numbers. */
  KV_IDS_INDEX("kv_ids_index"),
  /** u64: the next block of array object numbers. */
  ARRAY_IDS_INDEX("array_ids_index"),
  /** u64: the next block of BLOB object numbers. */
  BLOB_IDS_INDEX("blob_ids_index"),
  /** i32: 1 sparse chunks, 2 structured chunks; absent: as in the layout property. */
  SKERRY_CHUNKS("skerry_chunks"),
  /** i32: 1 if partial edge chunks are not filtered; absent: they are. */
  SKERRY_EDGES("skerry_edges"),
  /** The filters of the selection section: a dataset creation list with one property. */
  SKERRY_SELECTION_FILTERS("skerry_selection_filters"),
  /** The filters of the section of variable-length values, in the same form. */
  SKERRY_HEAP_FILTERS("skerry_heap_filters"),
  /**
   * i32: the encoding of the selections of sparse chunks: 0 the smallest; 1 version 1; 2, 3 and 4
   * as written by the library with the bounds earliest, 1.10 and 1.12; absent: 0.
   */
  SKERRY_SELECTION_ENCODING("skerry_selection_encoding"),
  /** u64 for each dimension: the shape of a tile of a dataset without chunks, in cells. */
  SKERRY_TILE_SHAPE("skerry_tile_shape"),
  /** u64: the identifier of the committed datatype that a dataset or attribute shares. */
  SKERRY_COMMITTED_TYPE("skerry_committed_type");

  private static final String SPILLED = "skerry_spilled_";

  private final String text;
  private final Bytes key;
  private final Bytes spilledKey;

  MetadataKey(String text) {
    this.text = text;
    this.key = NameKeys.encode(text);
    this.spilledKey = NameKeys.encode(SPILLED + text);
  }

  /** Returns the key without NUL. Local, thread-safe; does not fail. */
  public String text() {
    return text;
  }

  /** Returns the stored key. Local, thread-safe; does not fail. */
  public Bytes key() {
    return key;
  }

  /**
   * Returns the stored key of a {@link VariableCell} that replaces the pair if the value is too
   * large. Local, thread-safe; does not fail.
   */
  public Bytes spilledKey() {
    return spilledKey;
  }
}
