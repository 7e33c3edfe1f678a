package io.skerry.integration.trust;

import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Files that name others, made by h5py.
 *
 * @param main the file with the names
 * @param read what h5py reads of each object, as hexadecimal digits
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
