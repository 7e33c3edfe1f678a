/** Groups of the old style: symbol tables, their B-tree and the local heap. */
package io.skerry.format.symboltable;
