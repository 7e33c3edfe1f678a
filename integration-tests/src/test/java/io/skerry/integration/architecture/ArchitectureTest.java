package io.skerry.integration.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the rules of ARCHITECTURE.md for modules, packages and classes. */
class ArchitectureTest {
  private static final Path ROOT = root();

  /** The modules that users get, lowest layer first. */
  private static final List<String> MODULES =
      List.of(
          "mpi-core",
          "chunk-format",
          "file-format",
          "cache",
          "collective-io",
          "hdf5",
          "iod",
          "iod-rados",
          "jobs");

  private static final int TYPES_IN_A_PACKAGE = 25;

  /** Packages that may exceed {@link #TYPES_IN_A_PACKAGE}, each with the reason. */
  private static final Map<String, String> LARGE_PACKAGES =
      Map.of("io.skerry", "all that a program of the API imports, in one place");

  private static final int LINES_IN_A_CLASS = 400;

  /** Classes that may exceed {@link #LINES_IN_A_CLASS}, each with the reason. */
  private static final Map<String, String> LONG_CLASSES =
      Map.ofEntries(
          Map.entry("CheckedCommunicator", "one check for each call of the interface"),
          Map.entry("Communicator", "most of it is the documentation of the interface"),
          Map.entry("VariableChunkFormat", "one chunk format"),
          Map.entry("Dataset", "most of it is the documentation of the API"),
          Map.entry("DatasetSpec", "most of it is the documentation of the API"),
          Map.entry("FileOptions", "most of it is the documentation of the API"),
          Map.entry("H5File", "most of it is the documentation of the API"),
          Map.entry("IodFile", "one method for each call of the interface"),
          Map.entry("LocalCommunicator", "one method for each call of the interface"),
          Map.entry("SpaceAllocator", "one allocator, whose parts share their state"),
          Map.entry("StoredFile", "most of it is the documentation of the interface"));

  private static final int REFERRED_CLASSES = 25;

  private static final String ADAPTER =
      "implements an interface of the SPI: its types above, those of containers below";

  /** Classes that may exceed {@link #REFERRED_CLASSES}, each with the reason. */
  private static final Map<String, String> HUBS =
      Map.of(
          "io.skerry.format.header.MessageTypes",
          "a registry: all messages of object headers",
          "io.skerry.iod.connector.IodAttributes",
          ADAPTER,
          "io.skerry.iod.connector.IodDataset",
          ADAPTER,
          "io.skerry.iod.connector.IodFile",
          ADAPTER,
          "io.skerry.iod.object.check.ObjectWalk",
          "visits objects and values of every kind",
          "io.skerry.jobs.Subcommands",
          "a registry: all subcommands");

  /**
   * Number of public types in packages that are exported to all modules. An increase needs an entry
   * in the changelog.
   */
  private static final int EXPORTED_TYPES = 120;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.skerry");

  private static Path root() {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("ARCHITECTURE.md"))) {
      at = at.getParent();
    }
    return at;
  }

  private static ModuleDescriptor descriptor(String module) {
    try (InputStream in =
        Files.newInputStream(ROOT.resolve(module).resolve("target/classes/module-info.class"))) {
      return ModuleDescriptor.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> sources(String module) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
      return files.filter(path -> path.toString().endsWith(".java")).toList();
    }
  }

  @Test
  void packages_have_no_cyclic_dependencies() {
    slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
                return SliceIdentifier.of(javaClass.getPackageName());
              }

              @Override
              public String getDescription() {
                return "packages";
              }
            })
        .should()
        .beFreeOfCycles()
        .check(CLASSES);
  }

  @Test
  void a_package_has_at_most_25_types() {
    Map<String, Long> sizes =
        CLASSES.stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(type -> !type.getSimpleName().endsWith("-info"))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
    assertTrue(sizes.size() > 100, "too few packages were imported: " + sizes);
    sizes.values().removeIf(types -> types <= TYPES_IN_A_PACKAGE);
    assertEquals(LARGE_PACKAGES.keySet(), sizes.keySet(), sizes.toString());
  }

  @Test
  void a_class_has_at_most_400_lines() throws IOException {
    Map<String, Long> lengths = new TreeMap<>();
    for (String module : MODULES) {
      for (Path file : sources(module)) {
        try (Stream<String> lines = Files.lines(file)) {
          // Several classes may have the same simple name.
          lengths.merge(
              file.getFileName().toString().replace(".java", ""), lines.count(), Math::max);
        }
      }
    }
    lengths.values().removeIf(lines -> lines <= LINES_IN_A_CLASS);
    assertEquals(new TreeSet<>(LONG_CLASSES.keySet()), lengths.keySet(), lengths.toString());
  }

  /** A class that depends on many others changes with each of them and has several purposes. */
  @Test
  void a_class_refers_to_at_most_25_classes_of_other_packages() throws IOException {
    ReferredClasses referred = new ReferredClasses();
    for (String module : MODULES) {
      referred.add(ROOT.resolve(module).resolve("target/classes"));
    }
    Map<String, Set<String>> classes = referred.byClass();
    assertTrue(classes.size() > 700, () -> "too few classes were read: " + classes.size());
    classes.values().removeIf(others -> others.size() <= REFERRED_CLASSES);
    assertEquals(new TreeSet<>(HUBS.keySet()), classes.keySet(), classes.toString());
  }

  @Test
  void the_number_of_exported_types_does_not_grow() {
    Map<String, Long> exported = new TreeMap<>();
    for (String module : MODULES) {
      Set<String> packages =
          descriptor(module).exports().stream()
              .filter(export -> !export.isQualified())
              .map(ModuleDescriptor.Exports::source)
              .collect(Collectors.toSet());
      CLASSES.stream()
          .filter(JavaClass::isTopLevelClass)
          .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
          .filter(type -> packages.contains(type.getPackageName()))
          .forEach(type -> exported.merge(type.getPackageName(), 1L, Long::sum));
    }
    long all = exported.values().stream().mapToLong(Long::longValue).sum();
    System.out.println("exported types: " + all + " " + exported);
    assertEquals(EXPORTED_TYPES, all, "state the new number here: " + exported);
  }

  @Test
  void only_collective_io_and_the_modules_above_it_depend_on_mpi() {
    for (String module : List.of("chunk-format", "file-format", "cache")) {
      assertTrue(
          descriptor(module).requires().stream().noneMatch(r -> r.name().equals("io.skerry.mpi")),
          module);
    }
  }

  /** Matches a comparison of a number of ranks with 1 or 2, as in {@code ranks.size() == 1}. */
  private static final Pattern SINGLE_RANK =
      Pattern.compile(
          "(?i)\\b(ranks|world|parent|communicator)(\\(\\))?(\\.size\\(\\))? *([=!<>]=|[<>])"
              + " *[12]\\b");

  /**
   * Below {@code jobs}, code compares the number of ranks with 1 only to choose an implementation
   * when a file is opened; the chosen implementations do not compare it again.
   */
  @Test
  void a_single_rank_is_distinguished_only_where_implementations_are_chosen() throws IOException {
    Set<String> asking = new TreeSet<>();
    for (String module : List.of("collective-io", "hdf5")) {
      for (Path file : sources(module)) {
        if (SINGLE_RANK.matcher(Files.readString(file)).find()) {
          asking.add(file.getFileName().toString());
        }
      }
    }
    assertEquals(Set.of("RankPolicy.java", "MetadataBroadcast.java", "OwnerThread.java"), asking);
  }

  @Test
  void no_internal_package_is_exported_to_everyone() {
    Function<String, Boolean> internal = name -> name.contains(".internal");
    for (String module : MODULES) {
      for (ModuleDescriptor.Exports export : descriptor(module).exports()) {
        assertTrue(
            export.isQualified() || !internal.apply(export.source()),
            () -> "exported to everyone: " + export.source());
      }
    }
  }
}
