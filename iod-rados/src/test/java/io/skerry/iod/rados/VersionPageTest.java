package io.skerry.iod.rados;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.shard.VersionRecord;
import io.skerry.iod.rados.library.Pool.Pair;
import io.skerry.iod.rados.library.Pool.Pairs;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VersionPageTest {
  private static final long OBJECT = 5;
  private static final long AT = 10;

  private static Place.Tile tile(long number) {
    return new Place.Tile(OBJECT, number);
  }

  private static Pair stored(long number, long transaction) {
    return new Pair(
        OmapKeys.version(tile(number), transaction),
        VersionRecord.small(MemorySegment.ofArray(new byte[(int) transaction])));
  }

  private static Optional<Long> newest(VersionPage page, long number) {
    assertTrue(page.covers(tile(number), AT), "tile " + number);
    return page.newest(tile(number)).map(found -> found.version().transaction());
  }

  @Test
  void the_newest_version_up_to_the_transaction_is_found() {
    VersionPage page =
        VersionPage.of(
            tile(3),
            AT,
            new Pairs(
                List.of(stored(3, 12), stored(3, 9), stored(3, 2), stored(5, 11), stored(6, 10)),
                false));
    assertEquals(Optional.of(9L), newest(page, 3));
    assertEquals(Optional.empty(), newest(page, 4));
    assertEquals(Optional.empty(), newest(page, 5));
    assertEquals(Optional.of(10L), newest(page, 6));
    assertEquals(Optional.empty(), newest(page, 7));
    assertEquals(Optional.empty(), newest(page, -1));
  }

  @Test
  void a_page_that_is_not_the_last_covers_the_places_before_its_last_one() {
    VersionPage page =
        VersionPage.of(
            tile(3), AT, new Pairs(List.of(stored(3, 1), stored(6, 12), stored(6, 11)), true));
    assertEquals(Optional.of(1L), newest(page, 3));
    assertEquals(Optional.empty(), newest(page, 5));
    assertFalse(page.covers(tile(6), AT), "a version may follow on the next page");
    assertFalse(page.covers(tile(7), AT));
    page = VersionPage.of(tile(3), AT, new Pairs(List.of(stored(3, 1), stored(6, 4)), true));
    assertEquals(Optional.of(4L), newest(page, 6));
    assertFalse(page.covers(tile(7), AT));
  }

  @Test
  void a_page_covers_nothing_of_other_transactions_objects_parts_or_earlier_places() {
    VersionPage page = VersionPage.of(tile(3), AT, new Pairs(List.of(stored(3, 1)), false));
    assertFalse(page.covers(tile(3), AT - 1));
    assertFalse(page.covers(tile(2), AT));
    assertFalse(page.covers(new Place.Tile(OBJECT + 1, 3), AT));
    assertFalse(page.covers(new Place.Block(OBJECT, 3), AT));
  }

  @Test
  void a_page_without_pairs_that_is_not_the_last_covers_nothing() {
    VersionPage page = VersionPage.of(tile(3), AT, new Pairs(List.of(), true));
    assertFalse(page.covers(tile(3), AT));
    assertFalse(page.covers(tile(4), AT));
  }
}
