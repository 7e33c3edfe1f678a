package io.skerry.parallel;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The environment variable that names folders for the sources of virtual datasets. */
final class VirtualPrefix {
  /**
   * The environment variable of the HDF5 library: folders separated by colons. If it is set and not
   * empty, it takes precedence over the option.
   */
  static final String VARIABLE = "HDF5_VDS_PREFIX";

  private VirtualPrefix() {}

  /** Returns the folders of the variable if it is set and not empty, otherwise the given ones. */
  static List<String> orOfProcess(List<String> folders) {
    return orOf(System.getenv(), folders);
  }

  /** Returns the folders that the given environment variables name, otherwise the given ones. */
  static List<String> orOf(Map<String, String> environment, List<String> folders) {
    List<String> set =
        Arrays.stream(environment.getOrDefault(VARIABLE, "").split(":"))
            .filter(folder -> !folder.isEmpty())
            .toList();
    return set.isEmpty() ? List.copyOf(folders) : set;
  }
}
