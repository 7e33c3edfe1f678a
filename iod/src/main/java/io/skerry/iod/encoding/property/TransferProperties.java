package io.skerry.iod.encoding.property;

import java.util.List;
import java.util.Optional;

/**
 * The properties of lists for transfers of elements and for copies of objects. Skerry does not use
 * them, but must decode each value, because an encoded value has no length by which to skip it.
 * Sizes are in bytes; codes are those of the HDF5 library.
 */
public final class TransferProperties {
  /** The number of ratios by which a B-tree node is split: leftmost, middle and rightmost node. */
  private static final int SPLIT_RATIOS = 3;

  public static final PropertyKey<Long> CONVERSION_BUFFER_SIZE =
      new PropertyKey<>("max_temp_buf", Scalars.SIZE);

  /** The use of the background buffer, as a code. */
  public static final PropertyKey<Integer> BACKGROUND_BUFFER =
      new PropertyKey<>("bkgr_buf_type", Scalars.code(2));

  /** The shares of the left node when the leftmost, a middle and the rightmost node is split. */
  public static final PropertyKey<List<Double>> TREE_SPLIT_RATIOS =
      new PropertyKey<>("btree_split_ratio", Scalars.reals(SPLIT_RATIOS));

  /** The number of sequences per call of a driver. */
  public static final PropertyKey<Long> VECTOR_SIZE = new PropertyKey<>("vec_size", Scalars.SIZE);

  /** The transfer mode, independent or collective, as a code. */
  public static final PropertyKey<Integer> TRANSFER_MODE =
      new PropertyKey<>("io_xfer_mode", Scalars.code(1));

  /** The optimization of collective transfers, as a code. */
  public static final PropertyKey<Integer> COLLECTIVE_OPTIMIZATION =
      new PropertyKey<>("mpio_collective_opt", Scalars.code(1));

  /** The choice between one transfer for all chunks and several, as a code. */
  public static final PropertyKey<Integer> CHUNK_OPTIMIZATION =
      new PropertyKey<>("mpio_chunk_opt_hard", Scalars.code(2));

  /** The minimum number of chunks per rank for which all chunks are transferred at once. */
  public static final PropertyKey<Long> CHUNK_OPTIMIZATION_NUMBER =
      new PropertyKey<>("mpio_chunk_opt_num", Scalars.UNSIGNED);

  /** The minimum percentage of ranks for which a chunk is transferred collectively. */
  public static final PropertyKey<Long> CHUNK_OPTIMIZATION_RATIO =
      new PropertyKey<>("mpio_chunk_opt_ratio", Scalars.UNSIGNED);

  /** On if checksums of chunks are verified. */
  public static final PropertyKey<Switch> CHECKSUMS =
      new PropertyKey<>("err_detect", Scalars.SWITCH);

  /** The expression that is applied to elements; empty if none. */
  public static final PropertyKey<Optional<String>> TRANSFORM =
      new PropertyKey<>("data_transform", Scalars.EXPRESSION);

  /** The use of selection I/O, as a code. */
  public static final PropertyKey<Integer> SELECTION_MODE =
      new PropertyKey<>("selection_io_mode", Scalars.code(2));

  public static final PropertyKey<Switch> MODIFIED_WRITE_BUFFER =
      new PropertyKey<>("modify_write_buf", Scalars.SWITCH);

  /** The parts that a copy of an object includes, as bits. */
  public static final PropertyKey<Long> COPY_OPTIONS =
      new PropertyKey<>("copy object", Scalars.UNSIGNED);

  /** The paths of committed datatypes that copied objects may share. */
  public static final PropertyKey<List<String>> MERGED_DATATYPES =
      new PropertyKey<>("merge committed dtype list", Scalars.NAMES);

  static final List<PropertyKey<?>> TRANSFER =
      List.of(
          CONVERSION_BUFFER_SIZE,
          BACKGROUND_BUFFER,
          TREE_SPLIT_RATIOS,
          VECTOR_SIZE,
          TRANSFER_MODE,
          COLLECTIVE_OPTIMIZATION,
          CHUNK_OPTIMIZATION,
          CHUNK_OPTIMIZATION_NUMBER,
          CHUNK_OPTIMIZATION_RATIO,
          CHECKSUMS,
          TRANSFORM,
          SELECTION_MODE,
          MODIFIED_WRITE_BUFFER);
  static final List<PropertyKey<?>> COPY = List.of(COPY_OPTIONS, MERGED_DATATYPES);

  private TransferProperties() {}
}
