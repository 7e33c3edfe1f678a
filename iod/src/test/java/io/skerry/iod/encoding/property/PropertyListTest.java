package io.skerry.iod.encoding.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.CharacterSet;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.iod.encoding.Mutations;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PropertyListTest {
  private static final HexFormat HEX = HexFormat.of();

  /** The list of a dataset with chunks and three filters, as HDF5 1.10.8 encodes it. */
  private static final String FILTERED =
      "00056c61796f7574000202100000002c010000706c696e650004010301000000010000000001010600000002"
          + "000000010000000001000300000000000000000100"
          + "66696c6c5f76616c7565000302000000000000000065666c000100647365745f6f685f6d696e696d697a65"
          + "0000616c6c6f635f74696d655f73746174650004010000006d696e2064656e736520617474720004060000"
          + "006d617820636f6d7061637420617474720004080000006f626a6563742068656164657220666c61677300"
          + "2000";

  private static PropertyList decode(String hex) {
    return PropertyList.decode(MemorySegment.ofArray(HEX.parseHex(hex)));
  }

  private static String hex(PropertyList list) {
    return HEX.formatHex(list.encode());
  }

  private static String text(String name) {
    return HEX.formatHex(name.getBytes(StandardCharsets.US_ASCII)) + "00";
  }

  @Test
  void lists_have_the_bytes_of_hdf5_1_14() {
    assertEquals(
        "000e6368617261637465725f656e636f64696e67000000",
        hex(CreationLists.attribute(CharacterSet.ASCII)));
    assertEquals(
        "00096c696e6b20696e666f00040300000067726f757020696e666f00000000000800060004000800706c696e"
            + "65000401006d696e2064656e736520617474720004060000006d617820636f6d706163742061747472"
            + "0004080000006f626a6563742068656164657220666c616773002000",
        hex(CreationLists.group(CreationOrder.INDEXED, CreationOrder.UNTRACKED)));
    assertEquals(
        "0014706c696e65000401006d696e2064656e736520617474720004060000006d617820636f6d706163742061"
            + "7474720004080000006f626a6563742068656164657220666c616773002000",
        hex(CreationLists.map(CreationOrder.UNTRACKED)));
    assertEquals(FILTERED, hex(decode(FILTERED)));
  }

  @Test
  void lists_with_the_same_values_in_another_order_are_equal() {
    PropertyList library = decode(FILTERED);
    assertEquals(CreatedLists.ALL.get("chunk+3 filters"), library);
    assertEquals(CreatedLists.ALL.get("chunk+3 filters").hashCode(), library.hashCode());
    assertNotEquals(CreatedLists.ALL.get("chunk+deflate"), library);
    assertEquals(
        Optional.of(List.of(Filters.deflate(6), Filters.shuffle(), Filters.fletcher32())),
        library.find(CreationProperties.FILTERS));
    assertEquals(
        Optional.of(new StorageLayout.Chunked(List.of(16L, 300L))),
        library.find(CreationProperties.LAYOUT));
    assertEquals(Optional.empty(), library.find(CreationProperties.LINK_ORDER));
  }

  @Test
  void every_property_is_decoded_as_it_was_encoded() {
    List<PropertyList> lists = new ArrayList<>(AccessLists.ALL);
    lists.addAll(CreatedLists.ALL.values());
    for (PropertyList list : lists) {
      PropertyList decoded = PropertyList.decode(MemorySegment.ofArray(list.encode()));
      assertEquals(list.properties(), decoded.properties());
      assertEquals(hex(list), hex(decoded));
    }
  }

  @Test
  void an_unknown_property_is_named() {
    UnsupportedFeatureException e =
        assertThrows(
            UnsupportedFeatureException.class, () -> decode("0005" + text("new thing") + "0100"));
    assertTrue(e.getMessage().contains("property new thing"), e.getMessage());
    assertTrue(e.getMessage().contains("DATASET_CREATE"), e.getMessage());
  }

  @Test
  void a_property_of_another_class_is_named() {
    FormatException e =
        assertThrows(FormatException.class, () -> decode("0009" + text("layout") + "0100"));
    assertTrue(e.getMessage().contains("GROUP_CREATE"), e.getMessage());
    assertTrue(e.getMessage().contains("actual=layout"), e.getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () ->
            PropertyList.of(
                PropertyClass.GROUP_CREATE,
                Property.of(CreationProperties.LAYOUT, new StorageLayout.Compact())));
  }

  @Test
  void a_property_that_occurs_twice_is_named() {
    String set = text("character_encoding") + "01";
    FormatException e =
        assertThrows(FormatException.class, () -> decode("000e" + set + set + "00"));
    assertTrue(e.getMessage().contains("character_encoding"), e.getMessage());
  }

  @Test
  void a_damaged_value_names_its_property() {
    FormatException e =
        assertThrows(
            FormatException.class, () -> decode("0010" + text("intermediate_group") + "08"));
    assertTrue(e.getMessage().contains("property intermediate_group"), e.getMessage());
    assertTrue(e.getMessage().contains("bytes of a number: expected=4 actual=8"), e.getMessage());
  }

  @Test
  void the_ends_of_a_list_are_checked() {
    assertThrows(FormatException.class, () -> decode("01050000"));
    assertThrows(FormatException.class, () -> decode("0005"));
    assertThrows(FormatException.class, () -> decode("00050000"));
    assertThrows(UnsupportedFeatureException.class, () -> decode("001700"));
    assertEquals(List.of(), decode("000500").properties());
  }

  @Test
  void sizes_have_the_fewest_bytes() {
    for (String[] expected :
        new String[][] {
          {"0", "0100"},
          {"255", "01ff"},
          {"256", "020001"},
          {"4294967296", "050000000001"},
          {"-1", "08ffffffffffffffff"}
        }) {
      PropertyList list =
          PropertyList.of(
              PropertyClass.FILE_CREATE,
              Property.of(FileProperties.USER_BLOCK, Long.parseLong(expected[0])));
      assertEquals("0003" + text("block_size") + expected[1] + "00", hex(list));
      assertEquals(list, decode(hex(list)));
    }
  }

  @Test
  void names_of_filters_are_cut_to_their_field() {
    FilterSpec named =
        new FilterSpec(99, FilterSpec.Flag.MANDATORY, Optional.of("a long name of it"), new int[1]);
    PropertyList list =
        PropertyList.of(
            PropertyClass.DATASET_CREATE, Property.of(CreationProperties.FILTERS, List.of(named)));
    assertEquals(
        Optional.of("a long name "),
        decode(hex(list)).find(CreationProperties.FILTERS).orElseThrow().getFirst().name());
    PropertyList tooMany =
        PropertyList.of(
            PropertyClass.DATASET_CREATE,
            Property.of(CreationProperties.FILTERS, Collections.nCopies(33, named)));
    assertThrows(IllegalArgumentException.class, tooMany::encode);
  }

  @Test
  void only_a_list_of_a_file_is_nested() {
    String nested = HEX.formatHex(AccessLists.MAP.encode());
    String length = HEX.toHexDigits((byte) (nested.length() / 2));
    FormatException e =
        assertThrows(
            FormatException.class,
            () -> decode("0011" + text("external link fapl") + "0101" + length + nested + "00"));
    assertTrue(e.getMessage().contains("expected=FILE_ACCESS"), e.getMessage());
  }

  @Test
  void values_that_do_not_fit_are_refused() {
    PropertyList negative =
        PropertyList.of(
            PropertyClass.FILE_CREATE, Property.of(FileProperties.SYMBOL_LEAF_ORDER, -1L));
    assertThrows(IllegalArgumentException.class, negative::encode);
    PropertyList oneOrder =
        PropertyList.of(
            PropertyClass.FILE_CREATE, Property.of(FileProperties.TREE_ORDERS, List.of(1L)));
    assertThrows(IllegalArgumentException.class, oneOrder::encode);
    assertThrows(
        IllegalArgumentException.class, () -> new StorageLayout.Chunked(List.of(1L << 32)));
    assertThrows(IllegalArgumentException.class, () -> new GroupInfo(0, 65_536, 0, 0, 0));
  }

  @Test
  void damaged_lists_give_a_result_or_a_named_error() {
    List<PropertyList> lists = new ArrayList<>(AccessLists.ALL);
    // The order of the samples belongs to the seed.
    lists.addAll(new TreeMap<>(CreatedLists.ALL).values());
    List<byte[]> samples = new ArrayList<>();
    for (PropertyList list : lists) {
      samples.add(list.encode());
      // In a list of one property, more of the damages are in the value.
      for (Property<?> property : list.properties()) {
        samples.add(PropertyList.of(list.kind(), property).encode());
      }
    }
    Mutations.check(
        4,
        samples,
        bytes -> {
          PropertyList list = PropertyList.decode(bytes);
          assertEquals(list, PropertyList.decode(MemorySegment.ofArray(list.encode())));
        });
  }
}
