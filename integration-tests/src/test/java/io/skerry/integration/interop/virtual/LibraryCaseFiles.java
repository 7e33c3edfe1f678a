package io.skerry.integration.interop.virtual;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.datatype.Datatype;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.VirtualView;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Creates and reads the files of a {@link LibraryCase} with Skerry, as {@code library_cases.py}
 * does with HDF5.
 *
 * @param of the case
 * @param folder the folder that contains a folder for each stage
 */
record LibraryCaseFiles(LibraryCase of, Path folder) {
  private static final String VIRTUAL = "virtual.h5";

  /** Creates the file of the virtual dataset, without its sources. */
  void create(FormatBounds bounds) throws IOException {
    Files.createDirectories(folder);
    FileOptions options = FileOptions.standard().withBounds(bounds);
    try (H5File file = H5File.create(folder.resolve(VIRTUAL), Communicator.self(), options)) {
      var unused = file.createDataset("v", spec());
    }
  }

  /** Creates the files, and copies them after each step. */
  void make(FormatBounds bounds) throws IOException {
    create(bounds);
    copy(0);
    FileOptions options = FileOptions.standard().withBounds(bounds);
    for (int i = 0; i < of.steps().size(); i++) {
      List<String> step = of.steps().get(i);
      Path path = folder.resolve(step.get(1).equals(".") ? VIRTUAL : step.get(1));
      try (H5File file =
          Files.exists(path)
              ? H5File.openForWriting(path, Communicator.self())
              : H5File.create(path, Communicator.self(), options)) {
        take(file, step);
      }
      copy(i + 1);
    }
  }

  /**
   * Performs all steps in one open file, and returns the values of the dataset after each step. All
   * sources must be in the file of the virtual dataset.
   */
  List<String> inOneFile(FormatBounds bounds) throws IOException {
    Files.createDirectories(folder);
    FileOptions options = FileOptions.standard().withBounds(bounds);
    List<String> shown = new ArrayList<>();
    try (H5File file = H5File.create(folder.resolve(VIRTUAL), Communicator.self(), options)) {
      var unused = file.createDataset("v", spec());
      for (int i = 0; i <= of.steps().size(); i++) {
        if (i > 0) {
          take(file, of.steps().get(i - 1));
        }
        shown.add(line(i, VirtualView.standard(), file.dataset("v")));
      }
    }
    return shown;
  }

  private DatasetSpec spec() {
    return DatasetSpec.of(Datatype.I32, shape(of.extent(), of.maximum()))
        .virtual(layout(of))
        .fillValue(bytes("<i4", of.fill()));
  }

  /** Returns the mappings of a case. */
  static VirtualLayout layout(LibraryCase of) {
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (List<String> map : of.maps()) {
      Selection source = PrintedMappings.selection(map.get(4));
      layout.map(
          PrintedMappings.selection(map.get(5)),
          VirtualSource.of(map.get(0), map.get(1)).select(source));
    }
    return layout.build();
  }

  private static Shape shape(String extent, String maximum) {
    return Shape.of(PrintedMappings.numbers(extent), PrintedMappings.numbers(maximum));
  }

  private static void take(H5File file, List<String> step) {
    String path = step.get(2);
    switch (step.get(0)) {
      case "create" -> {
        DatasetSpec spec =
            DatasetSpec.of(type(step.get(6)), shape(step.get(3), step.get(4)))
                .fillValue(bytes(step.get(6), -2));
        var unused =
            file.createDataset(
                path,
                step.get(5).isEmpty() ? spec : spec.chunked(PrintedMappings.numbers(step.get(5))));
      }
      case "extend" -> file.dataset(path).extendTo(PrintedMappings.numbers(step.get(3)));
      case "write" -> {
        long[] size = PrintedMappings.numbers(step.get(4));
        int[] values = new int[Math.toIntExact(Shape.of(size).elements())];
        Arrays.setAll(values, i -> Integer.parseInt(step.get(5)) + i);
        file.dataset(path).write(Selection.box(PrintedMappings.numbers(step.get(3)), size), values);
      }
      default -> throw new IllegalArgumentException(step.toString());
    }
  }

  private static Datatype type(String name) {
    return switch (name) {
      case "<i2" -> Datatype.I16;
      case "<i4" -> Datatype.I32;
      case "<i8" -> Datatype.I64;
      case "<f8" -> Datatype.F64;
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static byte[] bytes(String type, int value) {
    ByteBuffer bytes = ByteBuffer.allocate(type.charAt(2) - '0').order(ByteOrder.LITTLE_ENDIAN);
    return switch (type) {
      case "<i2" -> bytes.putShort((short) value).array();
      case "<i4" -> bytes.putInt(value).array();
      case "<i8" -> bytes.putLong(value).array();
      case "<f8" -> bytes.putDouble(value).array();
      default -> throw new IllegalArgumentException(type);
    };
  }

  private void copy(int stage) throws IOException {
    Path to = Files.createDirectories(folder.resolve(Integer.toString(stage)));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.h5")) {
      for (Path file : files) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  /** Returns a line for each stage and view: the extent, and the values of each read. */
  List<String> show(Communicator world) {
    List<String> lines = new ArrayList<>();
    for (int stage = 0; stage <= of.steps().size(); stage++) {
      for (VirtualView view : of.views()) {
        FileOptions options = FileOptions.standard().withVirtualView(view);
        Path path = folder.resolve(Integer.toString(stage)).resolve(VIRTUAL);
        try (H5File file = H5File.open(path, world, options)) {
          lines.add(line(stage, view, file.dataset("v")));
        }
      }
    }
    return lines;
  }

  private String line(int stage, VirtualView view, Dataset dataset) {
    long[] extent = dataset.shape().extent();
    String shown =
        of.reads().stream().map(read -> values(dataset, read)).collect(Collectors.joining("|"));
    return String.join(
        "\t",
        of.name(),
        Integer.toString(stage),
        view.end().toString(),
        Long.toString(view.gap()),
        Arrays.stream(extent).mapToObj(Long::toString).collect(Collectors.joining(",")),
        shown);
  }

  private static String values(Dataset dataset, String read) {
    Selection selection = PrintedMappings.selection(read);
    if (!isWithin(selection, dataset.shape())) {
      return "outside";
    }
    return Arrays.stream(dataset.readInts(selection))
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(","));
  }

  private static boolean isWithin(Selection selection, Shape shape) {
    return selection
        .boundingBox(shape)
        .map(box -> {
          for (int d = 0; d < shape.rank(); d++) {
            if (box.end(d) > shape.extent(d)) {
              return false;
            }
          }
          return true;
        })
        .orElse(true);
  }
}
