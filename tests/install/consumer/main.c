/* The smallest program that needs the headers, the library and its tables. C and C++ alike. */
#include <weir/weir.h>

#include <stdio.h>

int main(void)
{
    if (weir_format_find("json") != weir_json)
        return 1;
    puts(weir_version());
    return 0;
}
