package io.skerry.iod.encoding.property;

import io.skerry.datatype.CharacterSet;
import io.skerry.filter.FilterSpec;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * The property lists with which Skerry creates objects; those of datasets are in {@link
 * DatasetCreation}. The lists contain all properties of their class, in the order in which the HDF5
 * library writes default lists.
 */
public final class CreationLists {
  private static final long MIN_DENSE_ATTRIBUTES = 6;
  private static final long MAX_COMPACT_ATTRIBUTES = 8;
  private static final long SYMBOL_LEAF_ORDER = 4;
  private static final long GROUP_TREE_ORDER = 16;
  private static final long CHUNK_TREE_ORDER = 32;
  private static final int ADDRESS_SIZE = 8;
  private static final int SHARED_INDEXES = 8;
  private static final int SHARED_INDEXES_WITH_SIZE = 6;
  private static final long SHARED_MIN_SIZE = 250;
  private static final long SHARED_LIST_MAX = 50;
  private static final long SHARED_TREE_MIN = 40;
  private static final long PAGE_SIZE = 4096;

  private CreationLists() {}

  /** Returns the list of a file and its root group. Local, thread-safe; does not fail. */
  public static PropertyList file(CreationOrder links, CreationOrder attributes) {
    List<Property<?>> file =
        List.of(
            Property.of(
                FileProperties.SPACE_STRATEGY, FileProperties.SpaceStrategy.FREE_SPACE_MANAGERS),
            Property.of(FileProperties.TREE_ORDERS, List.of(GROUP_TREE_ORDER, CHUNK_TREE_ORDER)),
            Property.of(FileProperties.USER_BLOCK, 0L),
            Property.of(FileProperties.SYMBOL_LEAF_ORDER, SYMBOL_LEAF_ORDER),
            Property.of(FileProperties.PAGE_SIZE, PAGE_SIZE),
            Property.of(FileProperties.PERSISTENT_FREE_SPACE, Switch.OFF),
            Property.of(
                FileProperties.SHARED_MESSAGE_TYPES, Collections.nCopies(SHARED_INDEXES, 0L)),
            Property.of(FileProperties.LENGTH_SIZE, ADDRESS_SIZE),
            Property.of(FileProperties.FREE_SPACE_THRESHOLD, 1L),
            Property.of(FileProperties.ADDRESS_SIZE, ADDRESS_SIZE),
            Property.of(FileProperties.SHARED_MESSAGE_MIN_SIZES, sharedMinSizes()),
            Property.of(FileProperties.SHARED_MESSAGE_TREE_MIN, SHARED_TREE_MIN),
            Property.of(FileProperties.SHARED_MESSAGE_LIST_MAX, SHARED_LIST_MAX),
            Property.of(FileProperties.SHARED_MESSAGE_INDEXES, 0L));
    return new PropertyList(
        PropertyClass.FILE_CREATE,
        joined(List.of(file, grouped(links), object(List.of(), attributes))));
  }

  /** Returns the minimum message sizes that the library writes even if there are no indexes. */
  private static List<Long> sharedMinSizes() {
    return Stream.concat(
            Collections.nCopies(SHARED_INDEXES_WITH_SIZE, SHARED_MIN_SIZE).stream(),
            Collections.nCopies(SHARED_INDEXES - SHARED_INDEXES_WITH_SIZE, 0L).stream())
        .toList();
  }

  /** Returns the list of a group. Local, thread-safe; does not fail. */
  public static PropertyList group(CreationOrder links, CreationOrder attributes) {
    return new PropertyList(
        PropertyClass.GROUP_CREATE, joined(List.of(grouped(links), object(List.of(), attributes))));
  }

  /** Returns the list of a committed datatype. Local, thread-safe; does not fail. */
  public static PropertyList datatype(CreationOrder attributes) {
    return new PropertyList(PropertyClass.DATATYPE_CREATE, object(List.of(), attributes));
  }

  /** Returns the list of a map. Local, thread-safe; does not fail. */
  public static PropertyList map(CreationOrder attributes) {
    return new PropertyList(PropertyClass.MAP_CREATE, object(List.of(), attributes));
  }

  /**
   * Returns the list of an attribute. Local, thread-safe; does not fail.
   *
   * @param name the character set of the name
   */
  public static PropertyList attribute(CharacterSet name) {
    return PropertyList.of(
        PropertyClass.ATTRIBUTE_CREATE, Property.of(CreationProperties.CHARACTER_SET, name));
  }

  /**
   * Returns the list of a link. Local, thread-safe; does not fail.
   *
   * @param name the character set of the name
   * @param intermediateGroups whether missing groups above the link are created
   */
  public static PropertyList link(CharacterSet name, Switch intermediateGroups) {
    return PropertyList.of(
        PropertyClass.LINK_CREATE,
        Property.of(CreationProperties.INTERMEDIATE_GROUPS, intermediateGroups),
        Property.of(CreationProperties.CHARACTER_SET, name));
  }

  /**
   * Returns the creation order of links that a list requests; the default is untracked. Local,
   * thread-safe; does not fail.
   */
  public static CreationOrder linkOrder(PropertyList list) {
    return list.find(CreationProperties.LINK_ORDER).orElse(CreationOrder.UNTRACKED);
  }

  /**
   * Returns the creation order of attributes that a list requests; the default is untracked. Local,
   * thread-safe; does not fail.
   */
  public static CreationOrder attributeOrder(PropertyList list) {
    return list.find(CreationProperties.HEADER_FLAGS)
        .map(HeaderFlags::attributeOrder)
        .orElse(CreationOrder.UNTRACKED);
  }

  private static List<Property<?>> grouped(CreationOrder links) {
    return List.of(
        Property.of(CreationProperties.LINK_ORDER, links),
        Property.of(CreationProperties.GROUP_INFO, GroupInfo.DEFAULT));
  }

  /** Returns the properties common to the creation lists of all objects. */
  static List<Property<?>> object(List<FilterSpec> filters, CreationOrder attributes) {
    return List.of(
        Property.of(CreationProperties.FILTERS, filters),
        Property.of(CreationProperties.MIN_DENSE_ATTRIBUTES, MIN_DENSE_ATTRIBUTES),
        Property.of(CreationProperties.MAX_COMPACT_ATTRIBUTES, MAX_COMPACT_ATTRIBUTES),
        Property.of(CreationProperties.HEADER_FLAGS, HeaderFlags.of(attributes)));
  }

  static List<Property<?>> joined(List<List<Property<?>>> parts) {
    return parts.stream().<Property<?>>flatMap(List::stream).toList();
  }
}
