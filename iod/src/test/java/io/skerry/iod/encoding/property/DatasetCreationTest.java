package io.skerry.iod.encoding.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.LinkOrder;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.format.Bytes;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

class DatasetCreationTest {
  private static final DatasetSpec FLAT = DatasetSpec.of(Datatype.I32, Shape.of(5));

  @Test
  void properties_of_a_specification_are_found_in_its_list() {
    DatasetSpec sparse =
        DatasetSpec.of(Datatype.I32, Shape.of(64, 600))
            .sparse(16, 300)
            .sectionFilters(0, Filters.shuffle(), Filters.deflate(1))
            .sectionFilters(1, Filters.deflate(6))
            .fillValue((byte) 1, (byte) 2, (byte) 3, (byte) 4)
            .attributeOrder(AttributeOrder.TRACKED);
    DatasetCreation creation = DatasetCreation.of(sparse);
    assertEquals(new StorageLayout.Chunked(List.of(16L, 300L)), creation.layout());
    assertEquals(List.of(Filters.deflate(6)), creation.filters());
    assertEquals(
        new FillProperty(
            FillProperty.Allocation.INCREMENTAL,
            FillProperty.Filling.IF_SET,
            new FillProperty.Value.Given(
                Bytes.of(MemorySegment.ofArray(new byte[] {1, 2, 3, 4})), Datatype.I32)),
        creation.fill());
    assertEquals(AttributeOrder.TRACKED, creation.attributeOrder().ofAttributes());
    PropertyList decoded = PropertyList.decode(MemorySegment.ofArray(creation.toList().encode()));
    assertEquals(creation, DatasetCreation.of(decoded));
  }

  @Test
  void absent_properties_have_their_defaults() {
    PropertyList empty = PropertyList.of(PropertyClass.DATASET_CREATE);
    assertEquals(DatasetCreation.of(FLAT), DatasetCreation.of(empty));
    PropertyList chunked =
        PropertyList.of(
            PropertyClass.DATASET_CREATE,
            Property.of(CreationProperties.LAYOUT, new StorageLayout.Chunked(List.of(2L))));
    assertEquals(DatasetCreation.of(FLAT.chunked(2)), DatasetCreation.of(chunked));
  }

  @Test
  void early_allocation_is_marked_as_set() {
    DatasetCreation early =
        DatasetCreation.of(FLAT.chunked(2).allocation(DatasetSpec.Allocation.EARLY));
    assertEquals(FillProperty.Allocation.EARLY, early.fill().allocation());
    assertEquals(Switch.OFF, early.defaultAllocation());
  }

  @Test
  void a_virtual_dataset_is_refused() {
    DatasetSpec virtual =
        FLAT.virtual(
            VirtualLayout.builder()
                .map(Selection.at(0).extent(5), VirtualSource.of("a.h5", "/a"))
                .build());
    assertThrows(UnsupportedFeatureException.class, () -> DatasetCreation.of(virtual));
  }

  @Test
  void a_fill_value_has_the_size_of_its_type() {
    Bytes three = Bytes.of(MemorySegment.ofArray(new byte[3]));
    assertThrows(
        IllegalArgumentException.class, () -> new FillProperty.Value.Given(three, Datatype.I32));
    // An address of variable-length content has another size in memory than in a container.
    assertEquals(
        three,
        new FillProperty.Value.Given(three, VariableLength.string(CharacterSet.ASCII)).bytes());
  }

  @Test
  void creation_orders_of_groups_are_found_in_their_lists() {
    PropertyList group =
        CreationLists.group(
            CreationOrder.of(LinkOrder.TRACKED), CreationOrder.of(AttributeOrder.UNTRACKED));
    assertEquals(LinkOrder.TRACKED, CreationLists.linkOrder(group).ofLinks());
    assertEquals(AttributeOrder.UNTRACKED, CreationLists.attributeOrder(group).ofAttributes());
    PropertyList file = CreationLists.file(CreationOrder.UNTRACKED, CreationOrder.INDEXED);
    assertEquals(LinkOrder.UNTRACKED, CreationLists.linkOrder(file).ofLinks());
    assertEquals(AttributeOrder.TRACKED, CreationLists.attributeOrder(file).ofAttributes());
  }
}
