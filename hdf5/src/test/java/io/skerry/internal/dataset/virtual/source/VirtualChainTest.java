package io.skerry.internal.dataset.virtual.source;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.UnsupportedFeatureException;
import org.junit.jupiter.api.Test;

class VirtualChainTest {
  @Test
  void sources_of_virtual_sources_are_counted_for_each_read() {
    VirtualChain chain = new VirtualChain();
    for (int read = 0; read < 2; read++) {
      chain.enter("outer");
      for (long i = 0; i < 2 * VirtualChain.MOST_NESTED; i++) {
        // The file stores each source of the outermost dataset, so their number is not limited.
        chain.count("outer");
      }
      chain.enter("inner");
      for (long i = 0; i < VirtualChain.MOST_NESTED; i++) {
        chain.count("inner");
      }
      UnsupportedFeatureException e =
          assertThrows(UnsupportedFeatureException.class, () -> chain.count("inner"));
      assertTrue(e.getMessage().contains("sources of virtual sources"), e.getMessage());
      chain.leave("inner");
      chain.leave("outer");
    }
  }
}
