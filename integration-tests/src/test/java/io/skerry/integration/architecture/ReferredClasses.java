package io.skerry.integration.architecture;

import java.io.IOException;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Collects the top-level classes of other packages to which each compiled class refers: the types
 * that it declares or uses, and the parameter and result types of the methods that it calls. A
 * nested class counts as its top-level class.
 */
final class ReferredClasses {
  private static final Pattern TOP_LEVEL = Pattern.compile("L(io/skerry/[^;$<.]*)");

  private final Map<String, Set<String>> byClass = new TreeMap<>();

  /** Adds all class files below the root folder of the packages. */
  void add(Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(ReferredClasses::isClass).toList()) {
        add(ClassFile.of().parse(file));
      }
    }
  }

  private static boolean isClass(Path file) {
    return file.toString().endsWith(".class") && !file.endsWith("module-info.class");
  }

  private void add(ClassModel model) {
    String name = model.thisClass().asInternalName().replace('/', '.').replaceAll("\\$.*", "");
    Set<String> referred = byClass.computeIfAbsent(name, _ -> new TreeSet<>());
    for (PoolEntry entry : model.constantPool()) {
      switch (entry) {
        case ClassEntry type -> add(type.asSymbol().descriptorString(), referred);
        case NameAndTypeEntry member -> add(member.type().stringValue(), referred);
        case MethodTypeEntry method -> add(method.descriptor().stringValue(), referred);
        default -> {}
      }
    }
    addGenerics(model, referred);
    model
        .fields()
        .forEach(field -> {
          add(field.fieldType().stringValue(), referred);
          addGenerics(field, referred);
        });
    model
        .methods()
        .forEach(method -> {
          add(method.methodType().stringValue(), referred);
          addGenerics(method, referred);
        });
    referred.removeIf(other -> packageOf(other).equals(packageOf(name)));
  }

  private static void addGenerics(AttributedElement element, Set<String> referred) {
    element
        .findAttribute(Attributes.signature())
        .ifPresent(generics -> add(generics.signature().stringValue(), referred));
  }

  private static void add(String descriptor, Set<String> referred) {
    Matcher types = TOP_LEVEL.matcher(descriptor);
    while (types.find()) {
      referred.add(types.group(1).replace('/', '.'));
    }
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  /** Returns the classes to which each added class refers. */
  Map<String, Set<String>> byClass() {
    return byClass;
  }
}
