package io.skerry.parallel;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The folders in which the source files of virtual datasets are searched for, before the folder of
 * the file that names them; like {@code H5Pset_virtual_prefix}. An absolute name is first tried
 * unchanged; then only its last part is searched for in the folders. The {@linkplain Trust policy}
 * applies to the files found. Immutable.
 *
 * @param folders the folders, in the order of the search; {@value #ORIGIN} at the start of a folder
 *     is the folder of the file with the virtual dataset
 */
public record VirtualPrefix(List<String> folders) {
  /** The placeholder for the folder of the file with the virtual dataset. */
  public static final String ORIGIN = "${ORIGIN}";

  /**
   * The environment variable of the HDF5 library: folders separated by colons. If it is set and not
   * empty, it takes precedence over the option.
   */
  public static final String VARIABLE = "HDF5_VDS_PREFIX";

  /** Copies the list. Local, thread-safe; does not fail. */
  public VirtualPrefix {
    folders = List.copyOf(folders);
  }

  /** Returns a prefix with the given folders. Local, thread-safe; does not fail. */
  public static VirtualPrefix of(String... folders) {
    return new VirtualPrefix(List.of(folders));
  }

  /**
   * Returns the folders of {@value #VARIABLE} if it is set and not empty, otherwise these folders.
   * Local, thread-safe; does not fail.
   */
  VirtualPrefix orOfProcess() {
    return orOf(System.getenv());
  }

  /** Returns the folders that the given environment variables name, otherwise these folders. */
  VirtualPrefix orOf(Map<String, String> environment) {
    List<String> set =
        Arrays.stream(environment.getOrDefault(VARIABLE, "").split(":"))
            .filter(folder -> !folder.isEmpty())
            .toList();
    return set.isEmpty() ? this : new VirtualPrefix(set);
  }
}
