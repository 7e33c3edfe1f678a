package io.skerry.internal.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.format.block.Block;
import io.skerry.format.header.HeaderPlacement;
import io.skerry.format.header.HeaderPrefix;
import io.skerry.format.header.ObjectHeader;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentHeadersTest {
  private static final int MOST = 4096;

  @Test
  void a_header_that_is_stored_again_becomes_the_most_recent() {
    RecentHeaders recent = new RecentHeaders();
    for (long address = 0; address < MOST; address++) {
      recent.putLast(address, header(address));
    }
    recent.putLast(0L, header(0));
    recent.putLast((long) MOST, header(MOST));
    assertEquals(MOST, recent.size());
    assertTrue(recent.containsKey(0L));
    assertFalse(recent.containsKey(1L));
  }

  @Test
  void a_header_that_is_read_becomes_the_most_recent() {
    RecentHeaders recent = new RecentHeaders();
    for (long address = 0; address < MOST; address++) {
      recent.putLast(address, header(address));
    }
    assertNotNull(recent.get(0L));
    recent.putLast((long) MOST, header(MOST));
    assertEquals(MOST, recent.size());
    assertTrue(recent.containsKey(0L));
    assertFalse(recent.containsKey(1L));
  }

  private static ObjectHeader header(long address) {
    HeaderPlacement placement = new HeaderPlacement(new Block(address, 100), List.of());
    return new ObjectHeader(HeaderPrefix.plain(), List.of(), placement);
  }
}
