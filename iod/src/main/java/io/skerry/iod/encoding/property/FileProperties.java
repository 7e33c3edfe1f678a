package io.skerry.iod.encoding.property;

import java.util.List;

/**
 * The properties of lists with which files are created, apart from those of the root group. Sizes
 * are in bytes.
 */
public final class FileProperties {
  /** The fixed number of entries for shared-message indexes in a list. */
  private static final int SHARED_INDEXES = 8;

  /** The number of kinds of B-trees: group and chunk index. */
  private static final int TREES = 2;

  /** The management of free space in a file. The constants are in the order of their codes. */
  public enum SpaceStrategy {
    FREE_SPACE_MANAGERS,
    PAGES,
    AGGREGATORS,
    NONE
  }

  /** The size of the user block before the superblock. */
  public static final PropertyKey<Long> USER_BLOCK = new PropertyKey<>("block_size", Scalars.SIZE);

  /** Half the number of symbols in a symbol table node. */
  public static final PropertyKey<Long> SYMBOL_LEAF_ORDER =
      new PropertyKey<>("symbol_leaf", Scalars.UNSIGNED);

  /** Half the number of entries in a node of the B-trees of groups, and of chunks. */
  public static final PropertyKey<List<Long>> TREE_ORDERS =
      new PropertyKey<>("btree_rank", Scalars.unsigneds(TREES));

  /** The size of an address. */
  public static final PropertyKey<Integer> ADDRESS_SIZE =
      new PropertyKey<>("addr_byte_num", Scalars.code(0xff));

  /** The size of a length. */
  public static final PropertyKey<Integer> LENGTH_SIZE =
      new PropertyKey<>("obj_byte_num", Scalars.code(0xff));

  /** The number of indexes of shared messages. */
  public static final PropertyKey<Long> SHARED_MESSAGE_INDEXES =
      new PropertyKey<>("num_shmsg_indexes", Scalars.UNSIGNED);

  /** The message types in each index of shared messages, as bits. */
  public static final PropertyKey<List<Long>> SHARED_MESSAGE_TYPES =
      new PropertyKey<>("shmsg_message_types", Scalars.unsigneds(SHARED_INDEXES));

  /** The minimum size of a shared message, for each index. */
  public static final PropertyKey<List<Long>> SHARED_MESSAGE_MIN_SIZES =
      new PropertyKey<>("shmsg_message_minsize", Scalars.unsigneds(SHARED_INDEXES));

  /** The largest number of shared messages in a list. */
  public static final PropertyKey<Long> SHARED_MESSAGE_LIST_MAX =
      new PropertyKey<>("shmsg_list_max", Scalars.UNSIGNED);

  /** The smallest number of shared messages in a B-tree. */
  public static final PropertyKey<Long> SHARED_MESSAGE_TREE_MIN =
      new PropertyKey<>("shmsg_btree_min", Scalars.UNSIGNED);

  /** The management of free space. */
  public static final PropertyKey<SpaceStrategy> SPACE_STRATEGY =
      new PropertyKey<>("file_space_strategy", Scalars.choice(SpaceStrategy.values()));

  /** On if free space is recorded in the file. */
  public static final PropertyKey<Switch> PERSISTENT_FREE_SPACE =
      new PropertyKey<>("free_space_persist", Scalars.SWITCH);

  /** The minimum size of free space that is managed. */
  public static final PropertyKey<Long> FREE_SPACE_THRESHOLD =
      new PropertyKey<>("free_space_threshold", Scalars.SIZE);

  /** The size of a page of the file. */
  public static final PropertyKey<Long> PAGE_SIZE =
      new PropertyKey<>("file_space_page_size", Scalars.SIZE);

  static final List<PropertyKey<?>> ALL =
      List.of(
          USER_BLOCK,
          SYMBOL_LEAF_ORDER,
          TREE_ORDERS,
          ADDRESS_SIZE,
          LENGTH_SIZE,
          SHARED_MESSAGE_INDEXES,
          SHARED_MESSAGE_TYPES,
          SHARED_MESSAGE_MIN_SIZES,
          SHARED_MESSAGE_LIST_MAX,
          SHARED_MESSAGE_TREE_MIN,
          SPACE_STRATEGY,
          PERSISTENT_FREE_SPACE,
          FREE_SPACE_THRESHOLD,
          PAGE_SIZE);

  private FileProperties() {}
}
