package io.skerry.integration.trust;

import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Files of h5py that refer to other files.
 *
 * @param main the file with the names of the others
 * @param read the bytes that h5py reads from each object, as hexadecimal digits
 */
record NamingFiles(Path main, Map<String, String> read) {
  static NamingFiles make(Path folder, Oracle h5py) {
    Map<String, String> read = new TreeMap<>();
    h5py.script(folder, "trust.py", folder)
        .expectSuccess()
        .out()
        .lines()
        .map(line -> line.split(" "))
        .forEach(words -> read.put(words[0], words[1]));
    return new NamingFiles(folder.resolve("inside/main.h5"), read);
  }
}
