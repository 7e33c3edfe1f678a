package io.skerry.iod.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The encoders and decoders of an HDF5 library that h5py has loaded. */
public final class HdfLibrary {
  private static final String SCRIPT = "encodings.py";

  private final Oracle h5py;
  private final Path folder;

  private HdfLibrary(Oracle h5py, Path folder) {
    this.h5py = h5py;
    this.folder = folder;
  }

  /**
   * What the library made of an encoding.
   *
   * @param verdict {@code equal} or {@code different} to the sample of that name, {@code none} if
   *     there is no such sample, {@code refused} if the library cannot decode it
   * @param again the result, encoded again
   */
  public record Decoded(Encoding sent, String verdict, Encoding again) {}

  /** Returns the libraries of this machine; skips the test if there is none. */
  public static List<HdfLibrary> all(Path folder) {
    assumeTrue(!Oracle.h5py().isEmpty(), "skipped: no Python with h5py");
    try (InputStream in =
        Objects.requireNonNull(HdfLibrary.class.getResourceAsStream(SCRIPT), SCRIPT)) {
      Files.write(folder.resolve(SCRIPT), in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Oracle.h5py().stream().map(oracle -> new HdfLibrary(oracle, folder)).toList();
  }

  /** Returns whether the library is at least as recent as HDF5 1.12, which added encodings. */
  public boolean isRecent() {
    return Arrays.compare(version(), new int[] {1, 12}) >= 0;
  }

  private int[] version() {
    return Arrays.stream(h5py.hdf5().split("\\.")).mapToInt(Integer::parseInt).toArray();
  }

  /** Returns samples of all kinds that the library encodes. */
  public List<Encoding> samples() {
    return run("samples").stream().map(Encoding::parse).toList();
  }

  /** Decodes encodings and encodes the results again. */
  public List<Decoded> decode(List<Encoding> encodings) throws IOException {
    StringBuilder lines = new StringBuilder();
    encodings.forEach(encoding -> lines.append(encoding.line()));
    Path file = Files.writeString(folder.resolve("encodings.tsv"), lines);
    List<String> printed = run("check", file);
    assertEquals(encodings.size(), printed.size(), toString());
    List<Decoded> decoded = new ArrayList<>();
    for (int i = 0; i < printed.size(); i++) {
      Encoding sent = encodings.get(i);
      List<String> fields = List.of(printed.get(i).split("\t", -1));
      decoded.add(
          new Decoded(
              sent, fields.getFirst(), new Encoding(sent.kind(), sent.name(), fields.getLast())));
    }
    return decoded;
  }

  private List<String> run(Object... arguments) {
    List<Object> line = new ArrayList<>(List.of(folder.resolve(SCRIPT)));
    line.addAll(List.of(arguments));
    return h5py.run(folder, line.toArray()).expectSuccess().out().lines().toList();
  }

  @Override
  public String toString() {
    return h5py.toString();
  }
}
