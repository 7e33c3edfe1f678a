package io.skerry.parallel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VirtualPrefixVariableTest {
  private static List<String> folders(Map<String, String> environment) {
    return VirtualPrefix.orOf(environment, List.of("/option"));
  }

  @Test
  void the_variable_takes_precedence_over_the_option_if_it_is_not_empty() {
    assertEquals(List.of("/option"), folders(Map.of()));
    assertEquals(List.of("/option"), folders(Map.of("HDF5_VDS_PREFIX", "")));
    assertEquals(
        List.of("/a", "${ORIGIN}/b"), folders(Map.of("HDF5_VDS_PREFIX", "/a:${ORIGIN}/b")));
  }
}
