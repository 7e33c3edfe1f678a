package io.skerry.iod.encoding.property;

import io.skerry.datatype.CharacterSet;
import io.skerry.filter.FilterSpec;
import java.util.List;

/** The properties of lists with which objects, attributes and links are created. */
public final class CreationProperties {
  /** The filters in the order in which a write applies them. */
  public static final PropertyKey<List<FilterSpec>> FILTERS =
      new PropertyKey<>("pline", FilterListCodec.CODEC);

  /** The smallest number of attributes in dense storage. */
  public static final PropertyKey<Long> MIN_DENSE_ATTRIBUTES =
      new PropertyKey<>("min dense attr", Scalars.UNSIGNED);

  /** The largest number of attributes in compact storage. */
  public static final PropertyKey<Long> MAX_COMPACT_ATTRIBUTES =
      new PropertyKey<>("max compact attr", Scalars.UNSIGNED);

  /** The creation order of attributes, and the storage of times. */
  public static final PropertyKey<HeaderFlags> HEADER_FLAGS =
      new PropertyKey<>("object header flags", HeaderFlags.CODEC);

  /** The creation order of links. */
  public static final PropertyKey<CreationOrder> LINK_ORDER =
      new PropertyKey<>("link info", CreationOrder.CODEC);

  /** Hints for the storage of links. */
  public static final PropertyKey<GroupInfo> GROUP_INFO =
      new PropertyKey<>("group info", GroupInfo.CODEC);

  /** The layout of the elements. */
  public static final PropertyKey<StorageLayout> LAYOUT =
      new PropertyKey<>("layout", LayoutCodec.CODEC);

  /** The fill value, and when space is allocated and filled. */
  public static final PropertyKey<FillProperty> FILL_VALUE =
      new PropertyKey<>("fill_value", FillProperty.CODEC);

  /** The parts of other files that hold the elements. */
  public static final PropertyKey<List<ExternalFile>> EXTERNAL_FILES =
      new PropertyKey<>("efl", ExternalFile.CODEC);

  /** On if the time of allocation follows from the layout; off if it was set. */
  public static final PropertyKey<Switch> DEFAULT_ALLOCATION =
      new PropertyKey<>("alloc_time_state", Scalars.UNSIGNED_SWITCH);

  /** On if object headers are created without free space. */
  public static final PropertyKey<Switch> MINIMAL_HEADER =
      new PropertyKey<>("dset_oh_minimize", Scalars.SWITCH);

  /** The character set of the name. */
  public static final PropertyKey<CharacterSet> CHARACTER_SET =
      new PropertyKey<>("character_encoding", Scalars.choice(CharacterSet.values()));

  /** On if missing groups above a link are created. */
  public static final PropertyKey<Switch> INTERMEDIATE_GROUPS =
      new PropertyKey<>("intermediate_group", Scalars.UNSIGNED_SWITCH);

  static final List<PropertyKey<?>> OBJECT =
      List.of(FILTERS, MIN_DENSE_ATTRIBUTES, MAX_COMPACT_ATTRIBUTES, HEADER_FLAGS);
  static final List<PropertyKey<?>> GROUP = List.of(LINK_ORDER, GROUP_INFO);
  static final List<PropertyKey<?>> DATASET =
      List.of(LAYOUT, FILL_VALUE, EXTERNAL_FILES, DEFAULT_ALLOCATION, MINIMAL_HEADER);
  static final List<PropertyKey<?>> STRING = List.of(CHARACTER_SET);
  static final List<PropertyKey<?>> LINK = List.of(INTERMEDIATE_GROUPS);

  private CreationProperties() {}
}
