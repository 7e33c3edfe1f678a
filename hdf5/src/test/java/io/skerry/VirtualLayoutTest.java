package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a virtual layout accepts the same mappings as {@code H5Pset_virtual}. */
class VirtualLayoutTest {
  private static final long U = Shape.UNLIMITED;

  private static final VirtualSource SOURCE = VirtualSource.of("f.h5", "/d");

  private static final VirtualSource BLOCKS = VirtualSource.of("f%b.h5", "/d");

  private static Selection growing() {
    return Selection.at(0).extent(U);
  }

  private static Selection block(long size) {
    return Selection.at(0).extent(size);
  }

  private static Selection blocksOfThree() {
    return Selection.at(0).stride(5).count(U).block(3);
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(
            Selection.points(new long[][] {{1}}), SOURCE, "virtual selection", "list of points"),
        Arguments.of(
            block(1),
            SOURCE.select(Selection.points(new long[][] {{1}})),
            "source selection",
            "list of points"),
        Arguments.of(block(3), SOURCE.select(block(4)), "virtual=3", "source=4"),
        Arguments.of(Selection.none(), SOURCE.select(block(4)), "virtual=0", "source=4"),
        Arguments.of(block(3), SOURCE.select(growing()), "unlimited only if", "f.h5:/d"),
        Arguments.of(growing(), SOURCE.select(block(4)), "needs a name with %b", "f.h5:/d"),
        Arguments.of(block(3), BLOCKS.select(block(3)), "a name with %b needs", "f%b.h5"),
        Arguments.of(growing(), BLOCKS.select(growing()), "a name with %b needs", "f%b.h5"),
        Arguments.of(blocksOfThree(), BLOCKS.select(block(4)), "virtual=3", "source=4"),
        Arguments.of(growing(), BLOCKS.select(block(4)), "blocks of limited size", "f%b.h5"),
        Arguments.of(
            Selection.at(0, 0).extent(U, 5),
            SOURCE.select(Selection.at(0, 0).extent(U, 4)),
            "virtual=5",
            "source=4"),
        Arguments.of(block(3), VirtualSource.of("f%x", "/d"), "followed by b or %", "file=f%x"),
        Arguments.of(block(3), VirtualSource.of("f", "d%"), "followed by b or %", "dataset=d%"),
        Arguments.of(block(3), VirtualSource.of("", "/d"), "must have characters", "file="),
        Arguments.of(block(3), VirtualSource.of("f", "a\0b"), "NUL", "dataset=a?b"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void a_mapping_that_HDF5_refuses_is_refused(
      Selection virtual, VirtualSource source, String first, String second) {
    VirtualLayout.Builder layout = VirtualLayout.builder();
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> layout.map(virtual, source));
    assertTrue(e.getMessage().contains(first), e.getMessage());
    assertTrue(e.getMessage().contains(second), e.getMessage());
    assertEquals(0, layout.build().mappings().size());
  }

  static Stream<Arguments> accepted() {
    return Stream.of(
        Arguments.of(block(3), SOURCE),
        Arguments.of(Selection.all(), SOURCE.select(block(10))),
        Arguments.of(Selection.none(), SOURCE.select(Selection.none())),
        Arguments.of(growing(), SOURCE.select(growing())),
        Arguments.of(growing(), SOURCE.select(blocksOfThree())),
        Arguments.of(blocksOfThree(), BLOCKS.select(block(3))),
        Arguments.of(blocksOfThree(), BLOCKS),
        Arguments.of(block(3), VirtualSource.of("50%%", "d%%b").select(block(3))),
        Arguments.of(growing(), SOURCE.select(Selection.at(7, 0).extent(1, U))));
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void a_mapping_that_HDF5_accepts_is_accepted(Selection virtual, VirtualSource source) {
    VirtualLayout layout = VirtualLayout.builder().map(virtual, source).build();
    Shape shape = Shape.of(new long[] {10}, new long[] {U});
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, shape).virtual(layout);
    assertEquals(DatasetSpec.Storage.VIRTUAL, spec.resolvedStorage());
    assertEquals(layout, spec.virtual().orElseThrow());
    assertEquals(layout, spec.fillValue(new byte[4]).virtual().orElseThrow());
  }

  static Stream<Arguments> unfit() {
    return Stream.of(
        Arguments.of(block(11), SOURCE, "coordinate=10", "extent=10"),
        Arguments.of(Selection.at(0, 0).extent(1, 3), SOURCE, "expected=1", "actual=2"),
        Arguments.of(Selection.all(), SOURCE.select(block(9)), "virtual=10", "source=9"));
  }

  @ParameterizedTest
  @MethodSource("unfit")
  void a_mapping_must_fit_the_extent_of_the_dataset(
      Selection virtual, VirtualSource source, String first, String second) {
    VirtualLayout layout = VirtualLayout.builder().map(virtual, source).build();
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(10));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> spec.virtual(layout));
    assertTrue(e.getMessage().contains(first), e.getMessage());
    assertTrue(e.getMessage().contains(second), e.getMessage());
  }

  @Test
  void the_limited_dimensions_of_a_growing_mapping_must_fit_the_extent() {
    VirtualLayout layout =
        VirtualLayout.builder()
            .map(Selection.at(0, 2).extent(U, 3), SOURCE.select(Selection.at(0, 0).extent(U, 3)))
            .build();
    Shape narrow = Shape.of(new long[] {0, 4}, new long[] {U, U});
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, narrow);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> spec.virtual(layout));
    assertTrue(e.getMessage().contains("dimension=1 end=5 extent=4"), e.getMessage());
  }

  @Test
  void virtual_storage_has_neither_filters_nor_chunks() {
    VirtualLayout layout = VirtualLayout.builder().map(block(3), SOURCE).build();
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(10));
    assertThrows(
        IllegalArgumentException.class, () -> spec.filters(Filters.deflate(1)).virtual(layout));
    assertThrows(
        IllegalArgumentException.class, () -> spec.virtual(layout).filters(Filters.deflate(1)));
    assertEquals(0, spec.chunked(5).virtual(layout).chunk().length);
    assertEquals(DatasetSpec.Storage.DENSE, spec.virtual(layout).chunked(5).storage());
    assertTrue(spec.virtual(layout).chunked(5).virtual().isEmpty());
  }

  @Test
  void equal_layouts_have_equal_descriptions_of_limited_length() {
    VirtualLayout.Builder many = VirtualLayout.builder();
    VirtualLayout.Builder other = VirtualLayout.builder();
    for (int i = 0; i < 1000; i++) {
      many.map(Selection.at(i), VirtualSource.of(new String("name.h5"), "/d").select(block(1)));
      other.map(Selection.at(i), SOURCE.select(i == 500 ? Selection.at(1) : block(1)));
    }
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(1000));
    DatasetSpec one = spec.virtual(many.build());
    assertEquals(one, spec.virtual(many.build()));
    assertNotEquals(one, spec.virtual(other.build()));
    assertTrue(one.describe().length() < 1000, one.describe());
    assertSame(
        many.build().mappings().get(0).source().file(),
        many.build().mappings().get(999).source().file());
  }

  @Test
  void percent_signs_of_a_path_are_kept() {
    assertEquals("50%%b.h5", VirtualSource.of(Path.of("50%b.h5"), "/d").file());
  }
}
