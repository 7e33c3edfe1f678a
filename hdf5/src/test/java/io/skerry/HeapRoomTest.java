package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.collective.CollectiveException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeapRoomTest {
  @TempDir Path folder;

  @Test
  void what_the_heap_can_never_have_is_refused_with_the_limit() {
    UnsupportedFeatureException refusal =
        assertThrows(
            UnsupportedFeatureException.class,
            () -> HeapRoom.check(HeapRoom.most() / 4 + 1, 4, "/d"));
    assertTrue(refusal.getMessage().contains("limitBytes=" + HeapRoom.most()));
    assertTrue(refusal.getMessage().contains("/d"));
    HeapRoom.check(HeapRoom.most() / 4, 4, "/d");
  }

  @Test
  void an_array_that_the_heap_has_no_room_for_now_is_refused() {
    assertThrows(
        UnsupportedFeatureException.class,
        () ->
            HeapRoom.make(
                1,
                8,
                "/d",
                () -> {
                  throw new OutOfMemoryError("Java heap space");
                }));
  }

  @Test
  void a_read_of_an_absurd_extent_is_refused_and_the_file_goes_on() {
    Path path = folder.resolve("absurd.h5");
    try (H5File file = H5File.create(path)) {
      Shape shape = Shape.of(1L << 40);
      Dataset dataset = file.createDataset("/d", DatasetSpec.of(Datatype.F64, shape).contiguous());
      CollectiveException refusal =
          assertThrows(CollectiveException.class, () -> dataset.readDoubles(Selection.all()));
      assertTrue(refusal.getCause() instanceof UnsupportedFeatureException, refusal.toString());
      refusal = assertThrows(CollectiveException.class, () -> dataset.readValues(Selection.all()));
      assertTrue(refusal.getCause() instanceof UnsupportedFeatureException, refusal.toString());
      assertArrayEquals(new double[2], dataset.readDoubles(Selection.at((1L << 40) - 2).extent(2)));
    }
  }
}
